/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A segment's file on an SSD. Immutable. */
public record SsdFile(SsdDir dir, Path path) {
    /** Removes the file, which no segment needs. One that a failing SSD keeps is removed by a later start. */
    public void remove(FileOps files, TierListener listener) {
        try {
            files.deleteIfExists(path);
        } catch (IOException e) {
            listener.leftAsItIs(path, e);
        }
    }

    /** The SSD file that a link leads to, or null when it leads out of the given directories. */
    public static @Nullable SsdFile behind(Path link, List<SsdDir> ssdDirs) throws IOException {
        Path target = FileReads.target(link);
        return ssdDirs.stream()
                .filter(dir -> target.startsWith(dir.path()))
                .map(dir -> new SsdFile(dir, target))
                .findFirst()
                .orElse(null);
    }
}
