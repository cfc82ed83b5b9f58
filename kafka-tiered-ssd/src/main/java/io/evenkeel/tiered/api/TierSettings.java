/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import static io.evenkeel.core.Setting.require;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;

/**
 * What an operator can set, checked as a whole. Immutable.
 *
 * @param ssdDirs one or more absolute directories, each on an SSD
 * @param capacityBytes how much the tier may keep in each SSD directory
 * @param onMissing what to do at the start when the disks lack what they promise
 * @param dynamic what can be changed while the broker runs
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
