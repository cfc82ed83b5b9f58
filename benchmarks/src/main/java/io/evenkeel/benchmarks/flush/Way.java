/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

/** A way to bring a part of an append-only file to its device. */
enum Way {
    /** The kernel writes back when it likes. */
    KERNEL("nothing: the kernel's own writeback", false),
    /** {@code fdatasync} of the whole file. */
    WHOLE_FILE("FileChannel.force(false)", false),
    /** {@code msync} of a part, which the kernel does as {@code fdatasync} of that part. */
    RANGE("MappedByteBuffer.force(range)", false),
    /** Has the kernel start to write each part, and flushes the whole file now and then. */
    EARLY("sync_file_range, then FileChannel.force(false)", true);

    private final String title;
    private final boolean foreign;

    Way(String title, boolean foreign) {
        this.title = title;
        this.foreign = foreign;
    }

    String title() {
        return title;
    }

    boolean isHere() {
        return !foreign || SyncFileRange.isThere();
    }
}
