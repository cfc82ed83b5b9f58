/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.testkit.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** How much of the newest segment of each partition the page cache has. Stateless. */
final class Residency {
    private static final int PAGE_BYTES = 4096;

    private Residency() {}

    /** Of all of them together, from 0 to 1. */
    static double of(Path logDir, Backlog topic) throws IOException {
        List<String> command = new ArrayList<>(List.of("fincore", "--bytes", "--noheadings", "--output", "RES,SIZE"));
        for (int partition = 0; partition < topic.partitions(); partition++) {
            command.add(newest(logDir.resolve(topic.name() + "-" + partition)).toString());
        }
        long resident = 0;
        long all = 0;
        for (String line : Commands.run(command.toArray(String[]::new))
                .lines()
                .filter(line -> !line.isBlank())
                .toList()) {
            String[] bytes = line.trim().split("\\s+", -1);
            resident += Long.parseLong(bytes[0]);
            all += (Long.parseLong(bytes[1]) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        }
        return all == 0 ? 1 : Math.min(1, (double) resident / all); // what is appended meanwhile is resident
    }

    private static Path newest(Path partition) throws IOException {
        try (Stream<Path> files = Files.list(partition)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
