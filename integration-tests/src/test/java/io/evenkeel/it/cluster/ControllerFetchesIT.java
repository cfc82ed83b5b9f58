/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.RawClient;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A controller in the same process has request handlers of its own. The tier leaves them alone. */
@Timeout(120)
class ControllerFetchesIT {
    private static final int REQUEST_HANDLERS = 2;
    private static final int RECORDS = 100;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    /** Each controller that connects, and each that lost its connection, fetches for the first time on a new one. */
    @Test
    void firstFetchesFromTheControllerHoldUpNobody() {
        BrokerConfig config = EagerTier.on(BrokerConfig.under(dir.resolve("node"), 1, 1))
                .patched()
                .with("num.io.threads", REQUEST_HANDLERS);
        Broker broker = brokers.start(config);
        for (int i = 0; i < 2 * REQUEST_HANDLERS; i++) {
            try (RawClient controller = new RawClient(config.controllerPort())) {
                controller.fetch("__cluster_metadata", 0, 0, 1);
                controller.awaitAnswer();
            }
        }
        Records records = new Records("read", 1, 100);
        new Topics(broker).create(records, Map.of());
        Properties client = broker.clientProperties();
        client.put("request.timeout.ms", "5000");
        records.produce(client, RECORDS);
        records.verifyAll(client);
    }
}
