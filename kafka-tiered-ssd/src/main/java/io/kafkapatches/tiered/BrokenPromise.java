/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;

/**
 * A link whose SSD file is not there, or cannot be trusted. Immutable.
 *
 * @param place the directory that is to blame
 */
record BrokenPromise(LogDir logDir, Path link, long baseOffset, Path target, Doubt doubt, Path place) {
    Path partition() {
        return LogFileName.dirOf(link);
    }
}
