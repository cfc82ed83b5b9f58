/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Two topics on a broker with two log directories, one topic in each. Immutable.
 *
 * @param failing in the first log directory, whose disk fails
 * @param healthy in the second one
 */
record TwoTopics(Records failing, Records healthy) {
    /** Kafka puts each topic into the log directory with fewer partitions. */
    static TwoTopics create(Broker broker) {
        Records one = new Records("one", 1, 1000);
        Records two = new Records("two", 1, 1000);
        for (Records topic : List.of(one, two)) {
            new Topics(broker).create(topic, Map.of());
            topic.produce(broker.clientProperties(), 0);
        }
        Path first = broker.config().logDirs().get(0);
        return Files.exists(first.resolve("one-0")) ? new TwoTopics(one, two) : new TwoTopics(two, one);
    }

    /** Reads both topics from offset 0 to the ends given. */
    void verify(Broker broker, long failingEnd, long healthyEnd) {
        assertThat(failing.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, failingEnd));
        assertThat(healthy.verifyAll(broker.clientProperties())).containsEntry(0, new Range(0, healthyEnd));
    }
}
