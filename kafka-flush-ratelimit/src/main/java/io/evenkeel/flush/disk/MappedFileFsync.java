/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The fsync of a file that Kafka writes through a mapping, without that mapping and its locks. Stateless. */
public final class MappedFileFsync {
    /*
     * On Linux an fsync writes all dirty pages of the file, whichever thread dirtied them and through whichever
     * mapping or descriptor: fsync and msync end in the same function of the kernel. POSIX does not guarantee that, so
     * this class does nothing on other systems.
     *
     * The kernel reports an error of its own writeback to each descriptor that was open at that time, and to the first
     * descriptor that is opened afterwards, as long as no descriptor has reported it (errseq_t). So the new descriptor
     * here misses only errors that another descriptor has reported already. If that descriptor is Kafka's or ours, the
     * log directory has failed by then.
     */
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

    private MappedFileFsync() {}

    /**
     * Returns when the whole file is on its device.
     *
     * @return false when nothing was done, because the file cannot be opened or because this is not Linux: no file has
     *     this name any more, or no file handle is left, which Kafka's own flush of a mapping does not need. The caller
     *     must then force the mapping, which belongs to the same file whatever its name is
     * @throws IOException when the fsync failed; the message has the path. The kernel may now treat the pages as clean.
     */
    public static boolean fsync(Path file) throws IOException {
        if (!IS_LINUX) {
            return false;
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.WRITE);
        } catch (IOException renamedOrNoHandle) {
            return false;
        }
        try (channel) {
            channel.force(false);
            return true;
        } catch (IOException e) {
            throw new IOException(
                    "The fsync of an index failed: file=" + file + ". The disk may lack part of it. Check the disk.",
                    e);
        }
    }
}
