/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The command line of {@link LaggingConsumers}. Immutable.
 *
 * @param dir for files that are neither on the HDD nor on the SSD; its file system is not bounded
 * @param cgroup the name of the brokers' control groups, without the variant's name at its end; empty for none
 * @param jvmFlags more JVM flags for the brokers; {@code %v} stands for the variant
 * @param patchedProperties more {@code server.properties} for the patched broker
 */
record LaggingOptions(
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
        List<Variant> variants,
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
    private static final List<Variant> VARIANTS = List.of(Variant.STOCK, Variant.PATCHED);

    static LaggingOptions parse(String[] args) {
        Arguments given = new Arguments(args, KNOWN);
        List<String> hdd = given.all("--hdd");
        List<String> ssd = given.all("--ssd");
        return new LaggingOptions(
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
                given.has("--variants") ? Variant.named(given.all("--variants"), VARIANTS) : VARIANTS,
                // A JVM flag begins with one dash, an argument's name with two.
                given.all("--jvm"),
                given.properties("--set"));
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
