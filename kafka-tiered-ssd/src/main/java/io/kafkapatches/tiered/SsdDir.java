/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One SSD directory and the account of its space. Thread safe.
 *
 * <p>Space is promised before it is used: a new segment takes its full size at once, and gives back what it did not need
 * when it is sealed. What a segment holds is free again only after its SSD file is closed and unlinked.
 */
public final class SsdDir {
    private final Path path;
    private final long capacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private volatile boolean refused;

    SsdDir(Path path, long capacityBytes) {
        this.path = path;
        this.capacityBytes = capacityBytes;
    }

    public Path path() {
        return path;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    /** Held by segments, including what is promised to active ones and not written yet. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Takes {@code bytes} if they fit; answers whether they did. */
    boolean promise(long bytes) {
        while (true) {
            long used = usedBytes.get();
            if (bytes > capacityBytes - used) {
                refused = true;
                return false;
            }
            if (usedBytes.compareAndSet(used, used + bytes)) {
                return true;
            }
        }
    }

    /** True when a promise has been refused since this was asked last: there is too little room, whatever the watermark. */
    boolean takeRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }

    /** Books what is there already or cannot be refused any more; gives back when negative. */
    void book(long bytes) {
        usedBytes.addAndGet(bytes);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
