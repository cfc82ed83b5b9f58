/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.SegmentPath;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Makes a segment's name durable, so that a power cut cannot bring back a link. Thread safe.
 *
 * <p>When the fsync of a directory fails, its log directory has failed, as if the fsync had been Kafka's own: Kafka's
 * names are lost together with ours. A later fsync that succeeds would prove nothing.
 */
public final class NameDurability {
    private final SegmentPath name;
    private final LogDir logDir;
    private final TierListener listener;

    public NameDurability(SegmentPath name, LogDir logDir, TierListener listener) {
        this.name = name;
        this.logDir = logDir;
        this.listener = listener;
    }

    /**
     * Makes the name durable unless it is. A directory that cannot be opened proves nothing against the log directory:
     * Kafka may have renamed it, or permission or file handles may be lacking.
     *
     * @throws IOException when that fails
     */
    public void makeDurable() throws IOException {
        if (!name.isDurable()) {
            try (FileChannel dir = name.openDir()) {
                makeDurable(dir);
            }
        }
    }

    /** As {@link #makeDurable()}, after a change of the name, for a directory that was opened before that change. */
    public void makeDurable(FileChannel openedDir) throws IOException {
        try {
            name.makeDurable(openedDir);
        } catch (IOException e) {
            failLogDir(e);
            throw e;
        }
    }

    private void failLogDir(IOException failure) {
        logDir.suspect();
        listener.storageError(logDir.path(), name.path(), failure);
    }
}
