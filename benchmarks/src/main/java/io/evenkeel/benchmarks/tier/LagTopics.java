/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

/**
 * The topics of {@link LaggingConsumers}. Immutable.
 *
 * @param events what is produced and read in real time
 * @param lagging what lagging consumers read: the events' oldest part, or a topic that is never placed on the SSD, or
 *     both; all with the same number of records
 */
record LagTopics(Backlog events, List<Backlog> lagging) {
    /** Where a patched broker has what lagging consumers read. */
    enum On {
        SSD,
        /** Each of them reads from both. */
        HALF,
        HDD
    }

    private static final String ARCHIVE = "archive";
    private static final int VALUE_BYTES = 1000;
    static final Map<String, String> PATCHED_PROPERTIES = Map.of("tiered.ssd.excluded.topics", ARCHIVE);

    static LagTopics of(LaggingOptions options) {
        return of(options.backlogOn(), options.partitions(), options.backlogMib());
    }

    private static LagTopics of(On on, int partitions, int backlogMib) {
        long records = backlogMib * (1L << 20) / partitions / VALUE_BYTES;
        return switch (on) {
            case SSD -> {
                Backlog events = events(partitions, records);
                yield new LagTopics(events, List.of(events));
            }
            case HALF -> {
                Backlog events = events(partitions, records / 2);
                yield new LagTopics(events, List.of(archive(partitions, records / 2), events));
            }
            case HDD -> new LagTopics(events(partitions, 0), List.of(archive(partitions, records)));
        };
    }

    private static Backlog events(int partitions, long records) {
        return new Backlog("events", partitions, VALUE_BYTES, records);
    }

    private static Backlog archive(int partitions, long records) {
        return new Backlog(ARCHIVE, partitions, VALUE_BYTES, records);
    }

    /** The events come last, so that the page cache holds nothing else. */
    void fill(Properties client) throws ExecutionException, InterruptedException {
        for (Backlog topic : lagging) {
            if (!topic.equals(events)) {
                topic.create(client);
                topic.fill(client, TierBroker.SEGMENT_BYTES);
            }
        }
        events.create(client);
        events.fill(client, TierBroker.SEGMENT_BYTES);
    }

    /** What is always on the HDD. */
    LagPartitions onHdd() {
        return new LagPartitions(
                lagging.stream()
                        .filter(topic -> topic.name().equals(ARCHIVE))
                        .flatMap(topic -> topic.topicPartitions().stream())
                        .toList(),
                0,
                oldest());
    }

    /** The oldest records of each partition that consumers read again and again: the page cache has newer ones. */
    long oldest() {
        return lagging.get(0).records() * 6 / 10;
    }
}
