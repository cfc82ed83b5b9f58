/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Removes the disks of a test after it. Register it before the brokers, so that they end first. */
public final class Disks implements AfterEachCallback {
    private static final long POWER_CUT_DISK_BYTES = 1L << 30;

    private final Deque<AutoCloseable> disks = new ArrayDeque<>();

    public LoopDisk ext4(Path dir, String name, long bytes) throws IOException {
        LoopDisk disk = LoopDisk.ext4(dir, name, bytes);
        disks.push(disk);
        return disk;
    }

    public LoopDisk coarseExt4(Path dir, String name, long bytes) throws IOException {
        LoopDisk disk = LoopDisk.coarseExt4(dir, name, bytes);
        disks.push(disk);
        return disk;
    }

    public LoopDisk xfs(Path dir, String name, long bytes) throws IOException {
        LoopDisk disk = LoopDisk.xfs(dir, name, bytes);
        disks.push(disk);
        return disk;
    }

    public BadSectors withBadSectors(Path dir, String name, long bytes) throws IOException {
        BadSectors disk = BadSectors.create(dir, name, bytes);
        disks.push(disk);
        return disk;
    }

    /** An HDD, an SSD and a disk for a broker's other files. All three lose power at the same time. */
    public CutDisks withPowerCuts(Path dir) throws IOException {
        CutDisks disk = new CutDisks(dir, POWER_CUT_DISK_BYTES, "hdd", "ssd", "os");
        disks.push(disk);
        return disk;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Exception failure = null;
        while (!disks.isEmpty()) {
            try {
                disks.pop().close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
