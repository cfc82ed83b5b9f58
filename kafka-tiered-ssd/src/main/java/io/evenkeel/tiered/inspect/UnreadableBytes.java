/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds out which bytes of a file a failing device cannot read. Stateless. */
final class UnreadableBytes {
    private static final int LARGE_BYTES = 1 << 20;
    private static final int BLOCK_BYTES = 4096;
    /** Each failure may take a device seconds. */
    private static final int MAX_FAILURES = 300;

    private UnreadableBytes() {}

    /** Such as {@code bytes 4096-8191 of 1048576}; reads the whole file. */
    static String of(FileOps files, Path file) {
        try (FileChannel channel = files.open(file, READ, NOFOLLOW_LINKS)) {
            return read(channel);
        } catch (IOException e) {
            return "the whole file: " + e.getMessage();
        }
    }

    private static String read(FileChannel channel) throws IOException {
        long sizeBytes = channel.size();
        List<long[]> ranges = new ArrayList<>();
        long end = sizeBytes;
        int failures = 0;
        for (long at = 0; at < sizeBytes && end == sizeBytes; at += LARGE_BYTES) {
            if (isReadable(channel, at, LARGE_BYTES)) {
                continue;
            }
            for (long block = at; block < Math.min(sizeBytes, at + LARGE_BYTES); block += BLOCK_BYTES) {
                if (!isReadable(channel, block, BLOCK_BYTES)) {
                    add(ranges, block, Math.min(sizeBytes, block + BLOCK_BYTES));
                    failures++;
                }
                if (failures == MAX_FAILURES) {
                    end = block + BLOCK_BYTES;
                    break;
                }
            }
        }
        String unread = end < sizeBytes ? "; not tried from byte " + end + " on" : "";
        if (ranges.isEmpty()) {
            return "no byte when it was read again";
        }
        return "bytes "
                + ranges.stream().map(range -> range[0] + "-" + (range[1] - 1)).collect(Collectors.joining(", "))
                + " of " + sizeBytes + unread;
    }

    private static boolean isReadable(FileChannel channel, long position, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        try {
            while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {
                // the rest
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void add(List<long[]> ranges, long from, long to) {
        if (!ranges.isEmpty() && ranges.get(ranges.size() - 1)[1] == from) {
            ranges.get(ranges.size() - 1)[1] = to;
        } else {
            ranges.add(new long[] {from, to});
        }
    }
}
