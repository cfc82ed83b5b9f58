/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import io.evenkeel.tiered.api.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A segment's open file on one device, and the number of operations that use it now. Thread safe.
 *
 * <p>A retired file takes no new pins. When the last pin is gone it is drained, and may be closed.
 */
public final class BackingFile {
    /** Added to the count by {@link #retire()}: the count is negative from then on. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private final Device device;
    private final Path path;
    private final FileChannel channel;
    private final AtomicInteger pins = new AtomicInteger();

    public BackingFile(Device device, Path path, FileChannel channel) {
        this.device = device;
        this.path = path;
        this.channel = channel;
    }

    public Device device() {
        return device;
    }

    /** The name that the file was opened by; Kafka may have renamed it since. */
    public Path path() {
        return path;
    }

    public FileChannel channel() {
        return channel;
    }

    /**
     * True when the device cannot read at {@code position}; false when it can, so that the failure came from elsewhere,
     * such as the other end of a connection. To be called while pinned.
     */
    public boolean failsAt(long position) {
        try {
            channel.read(ByteBuffer.allocate(1), position);
            return false;
        } catch (ClosedChannelException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Keeps the file open until {@link #unpin()}; false when retired. */
    public boolean tryPin() {
        if (pins.getAndIncrement() >= 0) {
            return true;
        }
        pins.getAndDecrement();
        return false;
    }

    public void unpin() {
        pins.getAndDecrement();
    }

    /** To be called once, after another file has taken this one's place. */
    public void retire() {
        pins.getAndAdd(RETIRED);
    }

    public boolean isDrained() {
        return pins.get() == RETIRED;
    }
}
