/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.Setting.require;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

/**
 * The settings of the tier, checked as a whole. Immutable.
 *
 * @param ssdDirs one or more absolute directories, each on an SSD
 * @param capacityBytes the most that the tier keeps in each SSD directory
 * @param onMissing the reaction of the start to SSD files that are missing
 * @param dynamic the settings that can be changed while the broker runs
 */
public record TierSettings(List<Path> ssdDirs, long capacityBytes, OnMissing onMissing, DynamicTierSettings dynamic) {

    public static final String DIRS = "tiered.ssd.dirs";
    public static final String CAPACITY_BYTES = "tiered.ssd.capacity.bytes";
    public static final String ON_MISSING = "tiered.ssd.on.missing";

    /**
     * @throws IllegalArgumentException that names the key and the value, when a value is impossible alone or with
     *     another
     */
    public TierSettings {
        ssdDirs = List.copyOf(ssdDirs);
        require(!ssdDirs.isEmpty(), DIRS, ssdDirs, "needs at least one directory");
        require(ssdDirs.stream().allMatch(Path::isAbsolute), DIRS, ssdDirs, "takes absolute paths only");
        require(new HashSet<>(ssdDirs).size() == ssdDirs.size(), DIRS, ssdDirs, "names a directory twice");
        for (Path dir : ssdDirs) {
            for (Path other : ssdDirs) {
                require(dir.equals(other) || !dir.startsWith(other), DIRS, ssdDirs, "has one directory inside another");
            }
        }
        require(capacityBytes > 0, CAPACITY_BYTES, capacityBytes, "must be positive");
    }

    /** The same with other dynamic settings. */
    public TierSettings with(DynamicTierSettings changed) {
        return new TierSettings(ssdDirs, capacityBytes, onMissing, changed);
    }
}
