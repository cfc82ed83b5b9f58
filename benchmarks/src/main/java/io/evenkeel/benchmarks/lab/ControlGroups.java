/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The control groups that a benchmark's script has made for its processes. Thread safe. */
public final class ControlGroups {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private ControlGroups() {}

    /** The directories of a group with that name, one for each of its controllers. */
    public static List<Path> of(String name, String... controllers) {
        return Stream.of(controllers)
                .map(controller -> ROOT.resolve(controller).resolve(name))
                .toList();
    }

    /** Those that bound a broker's memory and its reads and writes. */
    public static List<Path> ofBroker(String name) {
        return of(name, "memory", "blkio");
    }

    /** Moves the process into the groups; what it starts later begins there. */
    public static void enter(List<Path> groups, Process process) throws IOException {
        for (Path group : groups) {
            Files.writeString(group.resolve("cgroup.procs"), String.valueOf(process.pid()));
        }
    }
}
