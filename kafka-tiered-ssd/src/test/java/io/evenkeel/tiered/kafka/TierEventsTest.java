/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierEventsTest {
    @TempDir
    Path dir = Path.of("target");

    @Test
    void aRecordingHasThem() throws Exception {
        Path file = dir.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            TierEvents.copied(Path.of("/hdd/t-0/1.log"), 10);
            TierEvents.evicted(Path.of("/hdd/t-0/2.log"), 20);
            TierEvents.waited("a-b-0", "t-0", Duration.ofMillis(3).toNanos());
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.evenkeel."))
                .toList();
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .containsExactlyInAnyOrder(
                        "io.evenkeel.SegmentCopy", "io.evenkeel.SegmentEviction", "io.evenkeel.ColdReadWait");
        assertThat(events)
                .filteredOn(event -> event.hasField("waited"))
                .extracting(event -> event.getDuration("waited"))
                .containsExactly(Duration.ofMillis(3));
        assertThat(events)
                .filteredOn(event -> event.hasField("file"))
                .extracting(event -> event.getString("file"), event -> event.getLong("bytes"))
                .containsExactlyInAnyOrder(tuple("/hdd/t-0/1.log", 10L), tuple("/hdd/t-0/2.log", 20L));
    }
}
