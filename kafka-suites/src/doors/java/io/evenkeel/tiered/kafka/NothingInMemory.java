/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.file.FileOps;
import java.nio.channels.FileChannel;

/**
 * A file layer that finds nothing in the page cache: so what a test has just written is cold as soon as it is sealed.
 * Stateless.
 */
class NothingInMemory extends FileOps {
    @Override
    public boolean isResident(FileChannel channel, long position, long most) {
        return false;
    }
}
