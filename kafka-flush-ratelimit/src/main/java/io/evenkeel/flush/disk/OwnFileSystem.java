/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.core.Mount;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a file is on a file system that is mounted for its sake: whole, and not as the root. In a container, a
 * directory of the machine's own file system may be mounted alone; a sync would then write what all other programs of
 * the machine have written. Stateless.
 */
final class OwnFileSystem {
    private OwnFileSystem() {}

    /** False also where the system does not say. */
    static boolean holds(Path file) {
        return isOwn(Mount.of(file));
    }

    /** The same; the arguments are those of {@link Mount#of(List, Path)}. */
    static boolean holds(List<String> mounts, Path file) {
        return isOwn(Mount.of(mounts, file));
    }

    private static boolean isOwn(@Nullable Mount mount) {
        return mount != null && mount.isWhole() && !mount.isRoot();
    }
}
