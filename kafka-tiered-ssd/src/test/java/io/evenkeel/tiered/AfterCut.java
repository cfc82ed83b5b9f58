/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Starts a broker on the disks that a power cut has left, and compares them with the flushed records. Stateless. */
final class AfterCut {
    private AfterCut() {}

    /** @param what is said when something is wrong */
    static void check(Path root, RandomLife life, String what) throws IOException {
        assertThat(RandomLife.generation(root))
                .as(what + ": the identity files")
                .isGreaterThanOrEqualTo(life.generation());
        FakeBroker broker;
        try {
            broker = new FakeBroker(root, 1, 1, RandomLife.CAPACITY_BYTES, new QuickFileLayer());
        } catch (IOException refused) {
            throw new AssertionError(what + ": " + refused.getMessage(), refused);
        }
        Map<Long, byte[]> found = read(broker, what);
        life.flushed().forEach((base, bytes) -> {
            byte[] there = found.getOrDefault(base, new byte[0]);
            int same = Arrays.mismatch(bytes, there);
            assertThat(same == -1 || same == bytes.length)
                    .as("%s: segment %d has %d of %d bytes", what, base, same, bytes.length)
                    .isTrue();
        });
        assertNothingElse(broker, what);
    }

    private static Map<Long, byte[]> read(FakeBroker broker, String what) throws IOException {
        Map<Long, byte[]> found = new TreeMap<>();
        for (Path path : FileReads.children(broker.hdds.get(0).resolve("topic-0"))) {
            SegmentFileName name = SegmentFileName.parse(path);
            assertThat(name).as(what + " left " + path).isNotNull();
            if (name != null && name.isLive()) {
                try (FileChannel channel = broker.open(path)) {
                    found.put(name.baseOffset(), FakeBroker.read(channel));
                }
            }
        }
        return found;
    }

    /** No orphan, no link that leads nowhere, and copies that are the same. */
    private static void assertNothingElse(FakeBroker broker, String what) throws IOException {
        DiskSurvey survey = DiskSurvey.take(broker.identities(), broker.ssds);
        assertThat(survey.problems()).as(what).isEmpty();
        for (SurveyedSegment segment : survey.segments()) {
            Path ssdFile = segment.ssdFile();
            if (ssdFile != null) {
                assertThat(Files.mismatch(segment.path(), ssdFile))
                        .as(what + ": the copy of " + segment.path())
                        .isEqualTo(-1);
            }
        }
    }

    /** Does not wait for the device. */
    private static final class QuickFileLayer extends FileOps {
        @Override
        public void fsyncDirectory(Path dir) {}

        @Override
        public void force(FileChannel channel) {}
    }
}
