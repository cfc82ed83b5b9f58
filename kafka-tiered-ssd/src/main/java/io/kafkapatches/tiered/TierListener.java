/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;

/** Told what an operator may want to know. Called from broker threads and workers; must be quick and must not throw. */
public interface TierListener {
    /** A new segment went to the HDD although it belongs on the SSD. */
    void placedOnHdd(Path segment, String reason);

    /** A segment is complete on both devices. */
    void synced(Path segment, long bytes);

    /** A segment has left the SSD. */
    void evicted(Path segment, long bytes);

    /** A copy failed and will be tried again. */
    void syncFailed(Path segment, IOException failure);

    /** A segment will not be copied or evicted until the broker is restarted; its bytes stay on the SSD. */
    void setAside(Path segment, IOException failure);

    /** A segment could not leave the SSD. */
    void evictFailed(Path segment, IOException failure);
}
