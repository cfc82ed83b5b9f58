/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.ControlGroups;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.Variant;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The command line of {@link LaggingConsumers}. Immutable.
 *
 * @param dir for files that are neither on the HDD nor on the SSD; its file system is not bounded
 * @param cgroup the name of the brokers' control groups, without the variant's name at its end; empty for none
 * @param laggards how many consumers lag: a load for each number, one after the other
 * @param partitions of each topic
 * @param sameData all laggards read the same, and not each a share of its own
 * @param backlogOn where a patched broker has what they read
 * @param mixed the consumer that is up to date reads old records as well, while others lag
 * @param realTime whether a consumer reads new records as soon as they come
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
        List<Integer> laggards,
        int laggardsMbPerSecond,
        int partitions,
        boolean sameData,
        LagTopics.On backlogOn,
        boolean mixed,
        boolean tls,
        boolean realTime,
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
            "--partitions",
            "--same-data",
            "--backlog-on",
            "--mixed",
            "--tls",
            "--no-real-time",
            "--variants",
            "--jvm",
            "--set");
    private static final List<Variant> USUAL = List.of(Variant.STOCK, Variant.PATCHED);
    private static final List<Variant> VARIANTS = List.of(
            Variant.STOCK,
            WritebackTuning.TUNED,
            TierBroker.ALL_SSD,
            TierBroker.IN_MEMORY,
            TierBroker.WITHOUT_COLD_READER,
            Variant.PATCHED);

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
                laggards(given),
                given.number("--laggards-mb", 80),
                given.number("--partitions", 8),
                given.is("--same-data"),
                backlogOn(given),
                given.is("--mixed"),
                given.is("--tls"),
                !given.is("--no-real-time"),
                given.has("--variants") ? Variant.named(given.all("--variants"), VARIANTS) : USUAL,
                // A JVM flag begins with one dash, an argument's name with two.
                given.all("--jvm"),
                patchedProperties(given));
    }

    private static List<Integer> laggards(Arguments given) {
        return given.has("--laggards")
                ? given.all("--laggards").stream().map(Integer::valueOf).toList()
                : List.of(4);
    }

    private static LagTopics.On backlogOn(Arguments given) {
        LagTopics.On on = given.has("--backlog-on")
                ? LagTopics.On.valueOf(given.text("--backlog-on").toUpperCase(Locale.ROOT))
                : LagTopics.On.SSD;
        if (on == LagTopics.On.SSD && given.is("--mixed")) {
            throw new IllegalArgumentException("--mixed needs --backlog-on half or hdd");
        }
        return on;
    }

    private static Map<String, String> patchedProperties(Arguments given) {
        Map<String, String> properties = new HashMap<>(LagTopics.PATCHED_PROPERTIES);
        properties.putAll(given.properties("--set"));
        return properties;
    }

    /** The directories of a variant's control groups. */
    List<Path> cgroups(String variant) {
        return cgroup.isEmpty() ? List.of() : ControlGroups.ofBroker(cgroup + "." + variant);
    }

    /** The directory of the control group of the lagging consumers; none without control groups. */
    List<Path> laggardsCgroups() {
        return cgroup.isEmpty() ? List.of() : ControlGroups.of(cgroup + ".laggards", "cpu");
    }
}
