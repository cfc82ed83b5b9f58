/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;

/**
 * Handles the operations of a segment's channel that fail. Each method returns true when the operation is to be tried
 * again, on another file that the method has installed.
 */
public interface DeviceFallback {
    /** A change failed and changed nothing. Called with the change lock held. */
    boolean writeFailed(BackingFile failing, IOException failure);

    /** A read failed. Called without the lock, with the file pinned. */
    boolean readFailed(BackingFile failing, long position, IOException failure);

    /** A flush failed. Called without the lock, with the file pinned. */
    boolean flushFailed(BackingFile failing, IOException failure);
}
