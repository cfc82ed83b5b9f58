/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.Arrays;

/** The bytes of a file in memory. Thread safe: each operation is one step, as the kernel's are. */
final class MemoryFile {
    private byte[] bytes;

    MemoryFile(byte[] bytes) {
        this.bytes = bytes;
    }

    synchronized byte[] bytes() {
        return bytes.clone();
    }

    synchronized int size() {
        return bytes.length;
    }

    /** The byte there, or -1 at the end. */
    synchronized int at(long position) {
        return position < bytes.length ? bytes[(int) position] : -1;
    }

    synchronized void put(long position, byte value) {
        bytes = Arrays.copyOf(bytes, Math.max(bytes.length, (int) position + 1));
        bytes[(int) position] = value;
    }

    synchronized void truncate(long size) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(bytes.length, size));
    }
}
