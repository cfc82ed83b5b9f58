/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The SSDs under one of the other policies, as one cache of blocks or of segments. Not thread safe. */
final class CacheStore implements Store {
    /** Of the same order as what a reader fetches; a smaller one would change nothing but the time of a replay. */
    private static final long BLOCK_BYTES = 4 << 20;

    private static final double THRESHOLD = 0.9;

    private final Traffic traffic;
    private final boolean isThreshold;
    private final long unitBytes;
    private final double limitBytes;
    /** The bytes of each unit on the SSDs; the first is the next to leave. */
    private final Map<Long, Long> units;

    private double heldBytes;

    CacheStore(Policy policy, Load load, Machine machine, Traffic traffic) {
        this.traffic = traffic;
        isThreshold = policy == Policy.THRESHOLD;
        unitBytes = policy == Policy.LRU_BLOCKS ? Math.min(BLOCK_BYTES, load.segmentBytes()) : load.segmentBytes();
        limitBytes = (double) machine.ssds() * machine.ssdBytes() * (isThreshold ? THRESHOLD : 1);
        units = new LinkedHashMap<>(16, 0.75f, true);
    }

    @Override
    public void append(int partition, long from, long to, long nowSeconds) {
        for (long at = from; at < to; ) {
            long end = Math.min(to, (at / unitBytes + 1) * unitBytes);
            hold(key(partition, at), end - at);
            at = end;
        }
        traffic.hddWritten += isThreshold ? 0 : to - from;
    }

    private void hold(long key, long bytes) {
        units.merge(key, bytes, Long::sum);
        heldBytes += bytes;
        traffic.ssdWritten += bytes;
    }

    @Override
    public void read(int partition, long from, long to) {
        for (long at = from; at < to; ) {
            long end = Math.min(to, (at / unitBytes + 1) * unitBytes);
            read(key(partition, at), end - at);
            at = end;
        }
    }

    private void read(long key, long bytes) {
        boolean isHeld = units.containsKey(key);
        if (isHeld) {
            if (!isThreshold) {
                units.get(key); // now it is the last to leave
            }
            traffic.readSsd((double) bytes);
            return;
        }
        traffic.readHdd((double) bytes);
        if (!isThreshold || heldBytes + unitBytes <= limitBytes) {
            traffic.hddRead += Math.max(0, unitBytes - bytes);
            hold(key, unitBytes);
        }
    }

    @Override
    public boolean isOnSsd(int partition, long position) {
        return units.containsKey(key(partition, position));
    }

    @Override
    public void work(long nowSeconds) {
        Iterator<Long> oldest = units.values().iterator();
        while (heldBytes > limitBytes && oldest.hasNext()) {
            long bytes = oldest.next();
            oldest.remove();
            heldBytes -= bytes;
            traffic.evict((double) bytes);
            if (isThreshold) {
                traffic.ssdRead += bytes;
                traffic.hddWritten += bytes;
            }
        }
    }

    private long key(int partition, long position) {
        return (long) partition << 40 | position / unitBytes;
    }
}
