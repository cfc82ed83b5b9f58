/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The harness itself, on a broker without the agent. A failure here is not the fault of a patch. */
@Tag("long")
class StockIT {
    @Test
    void stockBrokerKeepsItsRecordsThroughStopAndKill(@TempDir Path dir) throws Exception {
        BrokerConfig config = BrokerConfig.under(dir, 2, 1).with("log.segment.bytes", 1 << 20);
        Records records = new Records("stock", 2, 1000);
        try (ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config).start()) {
            try (Admin admin = Admin.create(broker.clientProperties())) {
                admin.createTopics(List.of(new NewTopic("stock", 2, (short) 1)))
                        .all()
                        .get();
            }
            records.produce(broker.clientProperties(), 3000);
            assertThat(records.verifyAll(broker.clientProperties()))
                    .isEqualTo(Map.of(0, new Range(0, 3000), 1, new Range(0, 3000)));
            broker.restart();
            records.verifyAll(broker.clientProperties());
            records.produce(broker.clientProperties(), 10);
            broker.killAndStart();
            assertThat(records.verifyAll(broker.clientProperties())).containsEntry(1, new Range(0, 3010));

            SegmentFiles files = SegmentFiles.of(config);
            assertThat(files.of("stock").in(State.WITHOUT_CACHE)).hasSizeGreaterThanOrEqualTo(4);
            assertThat(files.in(State.ONLY_CACHE)).isEmpty();
            assertThat(files.strays()).isEmpty();
            try (JMXConnector jmx = broker.jmx()) {
                Set<ObjectName> logs = jmx.getMBeanServerConnection()
                        .queryNames(new ObjectName("kafka.log:type=Log,name=Size,topic=stock,*"), null);
                assertThat(logs).hasSize(2);
            }
        }
    }
}
