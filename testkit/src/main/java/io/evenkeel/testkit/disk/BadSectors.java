/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit.disk;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A {@link LoopDisk} whose sectors go bad where one wants: reading them fails with EIO, writing them anew makes them
 * good again, and the rest of the disk is well. One thread drives it.
 *
 * <p>The disk's image is a file on a btrfs, which is on a disk of its own; a byte that is changed on that disk, behind
 * the file system's back, makes the checksum of its block wrong, and btrfs then answers EIO.
 */
public final class BadSectors implements AutoCloseable {
    private static final int BLOCK_BYTES = 4096;
    private static final int CHUNK_BYTES = 1 << 20;
    /** For btrfs itself, and for blocks that it writes to another place before it frees the old. */
    private static final long OVERHEAD_BYTES = 256L << 20;

    private final LoopDisk below;
    private final LoopDisk disk;
    /** Where the image is spoiled, and the marks of the blocks that were. */
    private final Map<Long, Long> spoiled = new HashMap<>();

    private BadSectors(LoopDisk below, LoopDisk disk) {
        this.below = below;
        this.disk = disk;
    }

    /** A disk of that size, mounted at {@code <dir>/<name>-below/<name>}. */
    public static BadSectors create(Path dir, String name, long bytes) throws IOException {
        LoopDisk below = LoopDisk.btrfs(dir, name + "-below", bytes + OVERHEAD_BYTES);
        try {
            return new BadSectors(below, LoopDisk.ext4(below.path(), name, bytes));
        } catch (IOException e) {
            below.close();
            throw e;
        }
    }

    public LoopDisk disk() {
        return disk;
    }

    public Path path() {
        return disk.path();
    }

    /** Spoils all sectors of a file, as {@link #spoil(Path, long)}. */
    public void spoil(Path file) throws IOException {
        spoil(file, 0);
    }

    /**
     * Spoils the sectors of a file from a position on, and puts it out of memory.
     *
     * <p>Requires: no two blocks of the file are the same, nor like any other file's.
     */
    public void spoil(Path file, long fromBytes) throws IOException {
        disk.sync();
        below.sync();
        Set<Long> wanted = new HashSet<>();
        blocks(file, (channel, position, block) -> {
            if (position >= fromBytes) {
                wanted.add(fingerprint(block));
            }
        });
        Set<Long> found = new HashSet<>();
        blocks(below.image(), (channel, position, block) -> {
            if (wanted.contains(fingerprint(block))) { // what was there before it was written anew looks the same
                found.add(fingerprint(block));
                spoiled.put(position, fingerprint(block));
                flip(channel, position, block);
            }
        });
        if (found.size() != wanted.size()) {
            throw new IOException("found " + found.size() + " of " + wanted.size() + " blocks of " + file);
        }
        PageCache.drop(below.image());
        PageCache.drop(file);
        PageCache.drop(disk.image());
    }

    /** Makes all that was spoiled readable again, with the bytes it had. */
    public void mend() throws IOException {
        below.sync();
        blocks(below.image(), (channel, position, block) -> {
            if (spoiled.remove(position, fingerprint(block))) { // otherwise the block was rewritten meanwhile
                flip(channel, position, block);
            }
        });
        PageCache.drop(below.image());
    }

    private static void flip(FileChannel channel, long position, ByteBuffer block) throws IOException {
        byte changed = (byte) ~block.get(BLOCK_BYTES / 2);
        channel.write(ByteBuffer.wrap(new byte[] {changed}), position + BLOCK_BYTES / 2);
    }

    private interface Visitor {
        void visit(FileChannel channel, long position, ByteBuffer block) throws IOException;
    }

    private static void blocks(Path file, Visitor visitor) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            for (long position = 0; channel.read(chunk.clear(), position) > 0; position += CHUNK_BYTES) {
                // the file system's padding after the end of a file
                ByteBuffer padding = ByteBuffer.allocate(-chunk.position() & (BLOCK_BYTES - 1));
                chunk.put(padding).flip();
                for (int at = 0; at < chunk.limit(); at += BLOCK_BYTES) {
                    visitor.visit(channel, position + at, chunk.slice(at, BLOCK_BYTES));
                }
            }
        }
    }

    /** Of random bytes, 16 are as good as all. */
    private static long fingerprint(ByteBuffer block) {
        return block.getLong(0) * 31 + block.getLong(BLOCK_BYTES / 4);
    }

    @Override
    public void close() throws IOException {
        try (below) {
            disk.close();
        }
    }
}
