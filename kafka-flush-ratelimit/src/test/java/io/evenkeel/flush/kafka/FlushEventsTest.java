/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushEventsTest {
    @TempDir
    Path dir = Path.of("target");

    @Test
    void aRecordingHasThem() throws Exception {
        Path file = dir.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            FlushEvents.flushed("t-0", 10, Duration.ofMillis(3).toNanos());
            recording.dump(file);
        }
        RecordedEvent flush = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.evenkeel.LogFlush"))
                .findFirst()
                .orElseThrow();
        assertThat(flush.getString("log")).isEqualTo("t-0");
        assertThat(flush.getLong("bytes")).isEqualTo(10);
        assertThat(flush.getDuration("took")).isEqualTo(Duration.ofMillis(3));
    }
}
