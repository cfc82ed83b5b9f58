/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The machine that figures were measured on, and the state of the sources. Immutable.
 *
 * @param disks each with its size and whether it rotates; loop devices, which the benchmarks make, are left out
 * @param fileSystem of the directory in which the benchmarks make their disks
 * @param cgroups the version of the control groups that may limit devices
 */
record MachineFacts(
        String cpu,
        int processors,
        long memoryMiB,
        String kernel,
        String java,
        List<String> disks,
        String fileSystem,
        String cgroups,
        String commit) {
    private static final int SECTORS_PER_MIB = 2048;

    static MachineFacts now() throws IOException {
        return new MachineFacts(
                value(Path.of("/proc/cpuinfo"), "model name"),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(value(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", "")) >> 10,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.version"),
                realDisks(),
                Files.getFileStore(Path.of("")).type(),
                cgroupVersion(),
                git());
    }

    /** In one line. */
    String describe() {
        return "%s, %d processors, %d MiB of memory, %s, Java %s, disks: %s, %s, cgroup %s, commit %s"
                .formatted(
                        cpu,
                        processors,
                        memoryMiB,
                        kernel,
                        java,
                        String.join("; ", disks),
                        fileSystem,
                        cgroups,
                        commit);
    }

    private static String value(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("unknown 0");
    }

    private static List<String> realDisks() throws IOException {
        try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
            return devices.filter(device -> !device.getFileName().toString().matches("(loop|ram|zram).*"))
                    .sorted()
                    .map(MachineFacts::describe)
                    .toList();
        }
    }

    private static String describe(Path device) {
        try {
            long mib = Long.parseLong(Files.readString(device.resolve("size")).trim()) / SECTORS_PER_MIB;
            boolean rotates =
                    Files.readString(device.resolve("queue/rotational")).trim().equals("1");
            return "%s, %d GiB%s".formatted(device.getFileName(), mib >> 10, rotates ? ", says that it rotates" : "");
        } catch (IOException e) {
            return device.getFileName() + ", unknown";
        }
    }

    private static String cgroupVersion() {
        return Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers")) ? "v2" : "v1";
    }

    /** With a plus when sources differ from it. */
    private static String git() throws IOException {
        String commit = git("rev-parse", "--short=12", "HEAD");
        return git("status", "--porcelain", "--untracked-files=no").isEmpty() ? commit : commit + "+";
    }

    private static String git(String... arguments) throws IOException {
        Process git = new ProcessBuilder(
                        Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }
}
