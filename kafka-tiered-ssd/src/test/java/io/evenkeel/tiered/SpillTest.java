/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileCopy;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.file.SegmentPath;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {
    @TempDir
    Path root;

    /** The copier has seen that the segment has not changed, and does its next step only after the spill. */
    @Test
    void copyThatIsStillRunningDoesNotTouchTheSpilledFile() throws Exception {
        FileOps files = new FileOps();
        Path ssdFile = Files.write(root.resolve("on-ssd.log"), new byte[5000]);
        Path link = Files.createSymbolicLink(root.resolve("00000000000000000000.log"), ssdFile);
        FileCopy copy = new FileCopy(files, ssdFile, link, new DirectIoBuffer());
        while (copy.stage() != FileCopy.Stage.SEAL) {
            copy.step();
        }
        try (FileChannel channel = FileChannel.open(ssdFile, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BackingFile ssd = new BackingFile(Device.SSD, ssdFile, channel);
            BackingFile hdd = Spill.toHdd(files, ssd, new SegmentPath(files, link, true));
            hdd.channel().write(ByteBuffer.wrap(new byte[3000]));
            copy.step();
            copy.discard();
            assertThat(Files.size(link)).isEqualTo(8000);
            assertThat(Files.isSymbolicLink(link)).isFalse();
            hdd.channel().close();
        }
    }

    @Test
    void itsFileIsALeftoverAfterAKill() {
        assertThat(SegmentFileName.isLeftover("00000000000000000000.log" + SegmentFileName.SPILL_SUFFIX))
                .isTrue();
    }
}
