/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Damages a partition's directory as a crash may. Not thread safe. */
final class Damage {
    static final int KINDS = 4;

    private final Random random;

    Damage(Random random) {
        this.random = random;
    }

    /** None, some bytes too few, some too many, or no indexes. */
    void to(Path dir, int kind) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(dir)) {
            files = list.sorted().toList();
        }
        List<Path> logs =
                files.stream().filter(file -> file.toString().endsWith(".log")).toList();
        Path last = logs.get(logs.size() - 1);
        if (kind == 1) {
            try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
                channel.truncate(Math.max(0, channel.size() - random.nextInt(3000)));
            }
        } else if (kind == 2) {
            byte[] noise = new byte[random.nextInt(500)];
            random.nextBytes(noise);
            try (FileChannel channel = FileChannel.open(last, StandardOpenOption.APPEND)) {
                channel.write(ByteBuffer.wrap(noise));
            }
        } else if (kind == 3) {
            for (Path file : files) {
                if (file.toString().endsWith("index") && random.nextInt(3) == 0) {
                    Files.delete(file);
                }
            }
        }
    }
}
