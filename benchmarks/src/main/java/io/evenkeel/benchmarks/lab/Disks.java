/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where an HDD and an SSD are mounted, and the names of their devices as in {@code /sys/block}. Immutable.
 *
 * @param hddDevice empty when the device is unknown, as {@code ssdDevice}
 */
public record Disks(Path hdd, String hddDevice, Path ssd, String ssdDevice) {
    /** Has the kernel write all dirty pages of a file system to its device, and waits for it. */
    public static void writeBack(Path mount) throws IOException {
        try {
            new ProcessBuilder("sync", "-f", mount.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + mount + " was written back", e);
        }
    }
}
