/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file layer that never puts a link in a file's place, see {@link LeftOut#LINK}. Stateless. */
final class WithoutLinksBack extends NothingInMemory {
    @Override
    public void rename(Path from, Path to) throws IOException {
        if (Files.isSymbolicLink(from) && Files.isRegularFile(to, NOFOLLOW_LINKS)) {
            Files.delete(from);
        } else {
            super.rename(from, to);
        }
    }
}
