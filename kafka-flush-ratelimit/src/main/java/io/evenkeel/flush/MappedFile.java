/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Forces a file that somebody else writes through a mapping, without that mapping and its locks. Stateless. */
public final class MappedFile {
    /*
     * What is forced on Linux is not what was written through a descriptor but all dirty pages of the file, whoever dirtied
     * them and how: fsync and msync end in the same function of the kernel. POSIX does not promise that, so it is not done elsewhere.
     *
     * An error of the kernel's own writeback is told to each descriptor that was open at that time, and to the first one that is
     * opened after it, as long as nobody has been told (errseq_t). So the new descriptor here misses only what another one has
     * been told already; where that one is Kafka's or ours, the log directory has failed by then.
     */
    private static final boolean IS_EXACT = System.getProperty("os.name").equals("Linux");

    private MappedFile() {}

    /**
     * Returns when all that is in the file is on its device.
     *
     * @return false when that was not done, because no file has this name (any more) or this is not Linux; what is to
     *     be done then is to force the mapping, which is of the same file whatever its name
     * @throws IOException when it failed, with the path: the kernel may take the pages for clean now
     */
    public static boolean force(Path file) throws IOException {
        if (!IS_EXACT) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(false);
            return true;
        } catch (NoSuchFileException renamed) {
            return false;
        } catch (IOException e) {
            throw new IOException(
                    "Forcing " + file + " failed, so what of it is on the disk is not known. Check the disk.", e);
        }
    }
}
