/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A segment on two disks, drained although it is active, and the only one that the copier and the evictor see. */
class SegmentOnTwoDisks implements InterruptedStepsTest.Bytes {
    private static final Path NAME = Path.of("/hdd/topic-0/00000000000000000000.log");
    private static final Path ON_SSD = Path.of("/ssd/id/topic-0/00000000000000000000.log");
    private static final Path COPY = SegmentFileName.withSuffix(NAME, SegmentFileName.COPY_SUFFIX);

    private static final TierSettings SETTINGS =
            new TierSettings(List.of(), 0, 100, OnMissing.FAIL, 0, FakeBroker.dynamicSettings(TierMode.DRAIN));

    final MemoryFiles files = new MemoryFiles();
    final SsdDir ssd = new SsdDir(files, Path.of("/ssd"), 100);
    final Segment segment = segment();
    private final SegmentMap segments = new SegmentMap(segment -> {});
    private final Evictor evictor = new Evictor(
            files,
            ssd,
            () -> FakeBroker.dynamicSettings(TierMode.DRAIN),
            segments,
            segment -> {},
            () -> 0,
            new RecordingListener(),
            new TierCounts());

    public SegmentOnTwoDisks() {
        segments.add(segment, 0);
        segment.life().draining(true, 0);
    }

    /** On the SSD, with one byte in it. */
    private Segment segment() {
        try {
            BackingFile ssdFile = new BackingFile(Device.SSD, ON_SSD, files.open(ON_SSD));
            files.link(NAME, ON_SSD);
            ssdFile.channel().write(ByteBuffer.wrap(new byte[] {7}));
            ssd.addReserved(1, 0);
            OpenedFile opened = new OpenedFile(
                    NAME,
                    SegmentState.ONLY_CACHE,
                    new SsdFile(ssd, ON_SSD),
                    ssdFile,
                    1,
                    0,
                    new SpaceReservation(ssd, 1, 1),
                    null);
            Hdd hdd = new Hdd(() -> 0, 0);
            LogDir logDir = new LogDir(Path.of("/hdd"), "id", hdd, List.of(ssd));
            return new Segment(
                    files,
                    logDir,
                    new SegmentFileName(0, ""),
                    opened,
                    FakeBroker.request(100, 0),
                    new RecordingListener(),
                    new ColdReaders(List.of(hdd), List.of(ssd), SETTINGS, () -> 0),
                    null);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void append(int value) throws IOException {
        segment.channel().write(ByteBuffer.wrap(new byte[] {(byte) value}));
        drainGoesOn();
    }

    @Override
    public int read(int position) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(1);
        return segment.channel().read(found, position) < 0 ? -1 : found.get(0);
    }

    @Override
    public long size() throws IOException {
        return segment.channel().size();
    }

    @Override
    public void truncate(int size) throws IOException {
        segment.channel().truncate(size);
        drainGoesOn();
    }

    private void drainGoesOn() {
        segment.life().draining(true, 0);
    }

    @Override
    public void close() throws IOException {
        segment.channel().close();
    }

    /** As {@link SegmentCopy}, with a copy that is one step. */
    @Override
    public void copy() throws IOException {
        CopyTicket ticket = segment.beginCopy();
        if (ticket != null) {
            files.copy(ticket.ssdFile().path(), COPY);
            publish(ticket);
        }
    }

    void publish(CopyTicket ticket) throws IOException {
        if (!ticket.publish(COPY, 0)) {
            files.deleteIfExists(COPY);
        }
    }

    @Override
    public void evict() throws IOException {
        evictor.step(0);
        evictor.step(0);
    }

    /** What is at the name is what the channel reads, and nothing is left over but what still has readers. */
    void nameLeadsToTheBytes(String way) {
        assertThat(files.exists(COPY)).as("%s: a copy is left", way).isFalse();
        assertThat(files.exists(ON_SSD))
                .as("%s: the SSD file", way)
                .isEqualTo(segment.storage().ssdFile() != null || !ssd.retired().isEmpty());
        assertThat(files.isLink(NAME)).as(way).isEqualTo(segment.name().isLink());
        assertThat(files.sizeOf(NAME))
                .as("%s: bytes at the name", way)
                .isEqualTo(segment.storage().sizeBytes());
    }
}
