/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A drain ends, whatever else is on the SSD, and never takes the identity from an SSD that holds data. */
class DrainEndTest {
    @TempDir
    Path root;

    private FakeBroker broker;
    private Path ssd;
    private Path segment;
    private FileChannel channel;

    @BeforeEach
    void placeASegment() throws IOException {
        broker = new FakeBroker(root, 1, 1, 8 * FakeBroker.SEGMENT_BYTES);
        ssd = broker.ssds.get(0);
        segment = FakeBroker.segment(broker.partition("topic-0"), 0);
        channel = broker.open(segment);
        FakeBroker.append(channel, new byte[1000]);
    }

    private void drain() throws Exception {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 5; i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
        }
    }

    private Path identity() {
        return ssd.resolve(IdentityFile.FILE_NAME);
    }

    @Test
    void folderOfAnotherLogDirectoryKeepsTheIdentityAndIsNamed() throws Exception {
        Path unknown = Files.createDirectories(ssd.resolve("id-7/old-0"));
        Path data = Files.write(FakeBroker.segment(unknown, 0), new byte[10]);
        drain();
        assertThat(broker.listener.events).contains("drained, left: [" + ssd.resolve("id-7") + "]");
        assertThat(identity()).exists();
        assertThat(broker.hdds.get(0).resolve(IdentityFile.FILE_NAME)).exists();
        assertThat(Files.isSymbolicLink(segment)).isFalse();
        broker.restart();
        assertThat(data).exists();
    }

    @Test
    void folderOfALogDirectoryThatIsNotPresentKeepsTheIdentity() throws Exception {
        FakeBroker two = new FakeBroker(root.resolve("two"), 2, 1, 8 * FakeBroker.SEGMENT_BYTES);
        Path other = FakeBroker.segment(two.partition(1, "other-0"), 0);
        FakeBroker.append(two.open(other), new byte[500]);
        Path offline = two.hdds.remove(1);
        two.restart();
        broker = two;
        drain();
        assertThat(two.listener.events).anyMatch(event -> event.startsWith("drained, left: "));
        two.hdds.add(offline);
        two.restart();
        assertThat(Files.size(other)).isEqualTo(500);
    }

    /** Only directories that the tier has made, and that are empty, go with it. */
    @Test
    void whatIsNoDirectoryStays() throws Exception {
        Path folder = ssd.resolve(broker.identities().get(0).directoryId());
        Path archive = Files.writeString(folder.resolve("orders-0.tar"), "the only copy");
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("orders-1"), elsewhere);
        drain();
        assertThat(archive).exists();
        assertThat(link).isSymbolicLink();
        assertThat(identity()).exists();
        broker.restart();
        assertThat(archive).exists();
        assertThat(link).isSymbolicLink();
    }

    /** Found with -Dseed=17000065: the second claim took up the file whose fsync had failed. */
    @Test
    void claimThatFailsLeavesNoIdentityFile() throws Exception {
        boolean[] failing = {false};
        broker.restart(new FileOps() {
            @Override
            public void force(FileChannel file) throws IOException {
                if (failing[0]) {
                    throw new IOException("made to fail");
                }
                super.force(file);
            }
        });
        broker.open(segment);
        drain();
        assertThat(identity()).doesNotExist();
        failing[0] = true;
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.ON));
        assertThat(ssd).isEmptyDirectory();
        assertThat(broker.tier().snapshot().suspectSsds()).isOne();
        failing[0] = false;
        drain();
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.ON));
        assertThat(identity()).exists();
    }

    /** Nothing else can be copied meanwhile, whose success would tell a bad SSD file from a bad HDD. */
    @Test
    void lastSegmentThatTheSsdCannotReadHoldsUpTheDrainAndIsNamed() throws Exception {
        broker.restart(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                FileChannel opened = super.open(file, options);
                return file.startsWith(ssd) && !options.contains(StandardOpenOption.WRITE)
                        ? new FaultyChannel(opened, new UnreadableDevice())
                        : opened;
            }
        });
        channel = broker.open(segment);
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 40 && !isHeldUp(); i++) {
            broker.run("drain");
            broker.copy();
            broker.pass(TimeUnit.MINUTES.toNanos(1));
        }
        assertThat(isHeldUp()).isTrue();
    }

    /** The drain would otherwise go on for ever, and say nothing. */
    @Test
    void segmentWhoseHddFileIsGoneHoldsUpTheDrainAndIsNamed() throws Exception {
        broker.open(FakeBroker.segment(SegmentFileName.dirOf(segment), 100));
        broker.copy();
        assertThat(broker.stateOf(segment)).isEqualTo(SegmentState.CACHED);
        Files.delete(segment);
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 40 && !isHeldUp(); i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
            broker.pass(TimeUnit.MINUTES.toNanos(1) + 1);
        }
        assertThat(broker.listener.events)
                .anyMatch(event -> event.startsWith("drainHeldUp") && event.contains(segment.toString()));
    }

    private boolean isHeldUp() {
        return broker.listener.events.stream().anyMatch(event -> event.startsWith("drainHeldUp"));
    }

    private static final class UnreadableDevice implements FaultyChannel.Device {
        @Override
        public void before(String operation) throws IOException {
            if (operation.startsWith("read")) {
                throw new IOException("Input/output error");
            }
        }

        @Override
        public boolean isTorn() {
            return false;
        }
    }

    /** Else the next start would call that log directory an older image, and its only copies a mistake. */
    @Test
    void logDirectoryWhoseIdentityCannotBeWrittenIsNotOlderAtTheNextStart() throws Exception {
        drain();
        assertThat(identity()).doesNotExist();
        Path hdd = broker.hdds.get(0);
        Path inTheWay = Files.createDirectory(hdd.resolve(IdentityFile.TEMPORARY_NAME));
        broker.tier().reconfigure(FakeBroker.dynamicSettings());
        assertThat(identity()).exists();
        assertThat(hdd.resolve(IdentityFile.FILE_NAME)).doesNotExist();
        Path next = FakeBroker.segment(broker.partition("topic-1"), 0);
        FakeBroker.append(broker.open(next), new byte[500]);
        assertThat(next).isSymbolicLink();
        Files.deleteIfExists(inTheWay);
        broker.restart();
        assertThat(Files.size(next)).isEqualTo(500);
    }

    /** Kafka has deleted the segment: that the SSD keeps its file is no reason to fail the HDD. */
    @Test
    void deletionThatTheSsdRefusesFailsNothing() throws Exception {
        broker.restart(new FileOps() {
            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                if (file.startsWith(ssd.resolve(broker.identities().get(0).directoryId()))) {
                    throw new IOException("Read-only file system: " + file);
                }
                return super.deleteIfExists(file);
            }
        });
        channel = broker.open(segment);
        broker.delete(channel, segment);
        assertThat(segment).doesNotExist();
        assertThat(broker.listener.events).anyMatch(event -> event.startsWith("leftAsItIs"));
    }

    @Test
    void directoryOfTheFileSystemItselfIsNotData() throws Exception {
        Files.createDirectories(ssd.resolve("lost+found"));
        drain();
        assertThat(broker.listener.events).contains("drained");
        assertThat(identity()).doesNotExist();
    }

    @Test
    void modeThatIsSetAsTheDrainEndsFindsOrMakesTheIdentity() throws Exception {
        ExecutorService operator = Executors.newSingleThreadExecutor();
        Future<?>[] setOn = new Future<?>[1];
        try {
            broker.restart(new FileOps() {
                @Override
                public boolean deleteIfExists(Path file) throws IOException {
                    if (file.equals(identity())) {
                        setOn[0] = operator.submit(() -> {
                            broker.tier().reconfigure(FakeBroker.dynamicSettings());
                            return null;
                        });
                        giveWayTo(setOn[0]);
                    }
                    return super.deleteIfExists(file);
                }
            });
            channel = broker.open(segment);
            drain();
            setOn[0].get(10, TimeUnit.SECONDS);
            assertThat(identity()).exists();
            FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-1"), 0)), new byte[10]);
            broker.restart();
        } finally {
            operator.shutdownNow();
        }
    }

    /** It ends now, or waits for the thread that calls this. */
    private static void giveWayTo(Future<?> task) throws IOException {
        try {
            task.get(300, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // it waits
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @Test
    void ssdIsReleasedAtTheSecondLook() throws Exception {
        drain();
        broker.tier().reconfigure(FakeBroker.dynamicSettings());
        broker.run("drain");
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        broker.run("drain");
        assertThat(identity()).as("not at the first look").exists();
        broker.run("drain");
        assertThat(identity()).doesNotExist();
    }

    @Test
    void drainEndsAlthoughALogDirectoryIsOffline() throws Exception {
        channel.close(); // as Kafka does with a log directory that has failed
        Path healthy = FakeBroker.segment(broker.partition("healthy-0"), 0);
        FakeBroker.append(broker.open(healthy), new byte[10]);
        drain();
        assertThat(Files.isSymbolicLink(healthy)).isFalse();
        assertThat(broker.listener.events).doesNotContain("drainHeldUp [" + segment + "]");
        broker.pass(Drain.LONGEST_QUIET_NANOS);
        broker.run("drain");
        broker.run("drain");
        assertThat(broker.listener.events).containsOnlyOnce("drainHeldUp [" + segment + "]");
        assertThat(identity()).exists();
        assertThat(segment).isSymbolicLink();
    }
}
