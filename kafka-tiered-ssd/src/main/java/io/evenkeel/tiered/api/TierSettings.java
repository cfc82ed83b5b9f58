/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.ConfigKey.Importance.HIGH;
import static io.evenkeel.core.ConfigKey.Importance.LOW;
import static io.evenkeel.core.ConfigKey.Importance.MEDIUM;

import io.evenkeel.core.ConfigKey;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

/**
 * All settings of the tier, checked as a whole, and the keys of those that need a restart. Immutable.
 *
 * @param ssdDirs absolute directories, each on an SSD; none in the shadow, or when only the cold reads are on
 * @param shadowSsds how many SSDs are only imagined; 0 unless the tier is in the shadow
 * @param capacityBytes how much the tier may keep in each SSD directory
 * @param onMissing what the start does when segments that the log directories link to are missing
 * @param coldReadBufferBytes memory for what is read from the disks; 0 for none
 * @param dynamic the settings that can be changed while the broker runs
 */
public record TierSettings(
        List<Path> ssdDirs,
        int shadowSsds,
        long capacityBytes,
        OnMissing onMissing,
        long coldReadBufferBytes,
        DynamicTierSettings dynamic) {

    public static final ConfigKey<List<Path>> DIRS = ConfigKey.ofList(
                    "tiered.ssd.dirs",
                    HIGH,
                    TierSettings::paths,
                    "The directories for the newest log segments, each on an SSD of its own. The tier is on when this"
                            + " key is set and off when it is not. With fewer SSDs than log.dirs, several log"
                            + " directories share an SSD; with more, one log directory has several.")
            .where(dirs -> !dirs.isEmpty(), "needs at least one directory")
            .where(dirs -> dirs.stream().allMatch(Path::isAbsolute), "takes absolute paths only")
            .where(dirs -> new HashSet<>(dirs).size() == dirs.size(), "names a directory twice")
            .where(TierSettings::areApart, "has one directory inside another");

    public static final ConfigKey<Long> CAPACITY_BYTES = ConfigKey.ofLong(
                    "tiered.ssd.capacity.bytes",
                    HIGH,
                    0,
                    "How many bytes of segments the tier may keep in each of tiered.ssd.dirs. An active segment"
                            + " reserves space as it grows: at least 1 MiB, so leave room for as much of every"
                            + " partition. A segment that does not fit is written to the HDD. With a larger"
                            + " capacity, consumers may lag further before they read from the HDD. Keep some of the"
                            + " SSD's file system free.")
            .where(bytes -> bytes > 0, "must be positive");

    public static final ConfigKey<OnMissing> ON_MISSING = ConfigKey.ofEnum(
            "tiered.ssd.on.missing",
            LOW,
            OnMissing.FAIL,
            "What the broker does at the start when the log directories hold links to segments that are not on the"
                    + " SSDs. With 'fail' it does not start and changes nothing. With 'truncate' it gives up the"
                    + " missing segments and all later ones of the same partition, logs each such partition, and"
                    + " rejoins with these replicas as after an unclean shutdown. Set 'truncate' for one start only,"
                    + " when an SSD is lost for good.");

    public static final ConfigKey<Boolean> COLD_READ_ENABLE = ConfigKey.ofBoolean(
            "tiered.ssd.cold.read.enable",
            HIGH,
            "Whether reads of full segments from the disks are kept off the network threads. Unset, they are when"
                    + " tiered.ssd.dirs is set. With 'true' they are also without an SSD: consumers that lag then hold"
                    + " up no others, and do not push fresh data out of the page cache. With 'false' the network"
                    + " threads read from the disks themselves, as in stock Kafka, and all their clients wait"
                    + " meanwhile.");

    public static final ConfigKey<Long> COLD_READ_BUFFER_BYTES = ConfigKey.ofLong(
                    "tiered.ssd.cold.read.buffer.bytes",
                    MEDIUM,
                    128 << 20,
                    "Direct memory for segments that are read from the HDDs and SSDs past the page cache, shared by all"
                            + " consumers that lag. All HDDs and SSDs get the same share of it, at least 4 MiB. With"
                            + " more, many such consumers read an HDD less often. 0 is as"
                            + " tiered.ssd.cold.read.enable=false.")
            .where(bytes -> bytes >= 0, "must not be negative");

    /**
     * @throws IllegalArgumentException that names the key and the value, when a value is impossible alone or with
     *     another
     */
    public TierSettings {
        ssdDirs = List.copyOf(ssdDirs);
        if (!ssdDirs.isEmpty()) {
            DIRS.check(ssdDirs);
        }
        if (!ssdDirs.isEmpty() || shadowSsds > 0) {
            CAPACITY_BYTES.check(capacityBytes);
        }
        COLD_READ_BUFFER_BYTES.check(coldReadBufferBytes);
    }

    /** The same with other dynamic settings. */
    public TierSettings with(DynamicTierSettings changed) {
        return new TierSettings(ssdDirs, shadowSsds, capacityBytes, onMissing, coldReadBufferBytes, changed);
    }

    private static List<Path> paths(List<String> dirs) {
        return dirs.stream().map(dir -> Path.of(dir.trim()).normalize()).toList();
    }

    private static boolean areApart(List<Path> dirs) {
        return dirs.stream()
                .allMatch(dir -> dirs.stream().allMatch(other -> dir.equals(other) || !dir.startsWith(other)));
    }
}
