/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.benchmarks.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What to run, and where. Immutable.
 *
 * @param dir for what is neither on the HDD nor on the SSD; its file system is not bounded
 * @param cgroup the name of the control groups whose bounds hold for the brokers, without the variant's; empty for none
 * @param jvmFlags more flags for the brokers; {@code %v} stands for the variant
 * @param patchedProperties more of {@code server.properties} for the patched broker
 */
record Options(
        Path dir,
        Disks disks,
        String cgroup,
        int backlogMib,
        int rounds,
        int warmupSeconds,
        int seconds,
        int producedMbPerSecond,
        int laggards,
        int laggardsMbPerSecond,
        List<String> variants,
        List<String> jvmFlags,
        Map<String, String> patchedProperties) {
    private static final Set<String> KNOWN = Set.of(
            "--dir",
            "--hdd",
            "--ssd",
            "--cgroup",
            "--backlog-mib",
            "--rounds",
            "--warmup",
            "--seconds",
            "--produce-mb",
            "--laggards",
            "--laggards-mb",
            "--variants",
            "--jvm",
            "--set");

    static Options parse(String[] args) {
        Arguments given = new Arguments(args, KNOWN);
        List<String> hdd = given.all("--hdd");
        List<String> ssd = given.all("--ssd");
        return new Options(
                given.path("--dir"),
                new Disks(
                        Path.of(hdd.get(0)),
                        hdd.size() > 1 ? hdd.get(1) : "",
                        Path.of(ssd.get(0)),
                        ssd.size() > 1 ? ssd.get(1) : ""),
                given.has("--cgroup") ? given.text("--cgroup") : "",
                given.number("--backlog-mib", 4096),
                given.number("--rounds", 3),
                given.number("--warmup", 10),
                given.number("--seconds", 40),
                given.number("--produce-mb", 15),
                given.number("--laggards", 4),
                given.number("--laggards-mb", 80),
                given.has("--variants") ? given.all("--variants") : List.of("stock", "patched"),
                // A flag begins with one dash, so it is told from the names here, which begin with two.
                given.all("--jvm"),
                given.all("--set").stream()
                        .map(property -> property.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    }

    /** The directories of a variant's control groups. */
    List<Path> cgroups(String variant) {
        return cgroup.isEmpty()
                ? List.of()
                : List.of(
                        Path.of("/sys/fs/cgroup/memory", cgroup + "." + variant),
                        Path.of("/sys/fs/cgroup/blkio", cgroup + "." + variant));
    }
}
