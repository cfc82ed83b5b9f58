/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The wheel's keys in a real broker. */
class PurgatoryWheelConfigIT {
    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void withoutTheWheelABrokerHasStocksClasses() throws Exception {
        Broker broker = brokers.start(
                BrokerConfig.under(dir.resolve("node"), 1, 0).patched().with("purgatory.wheel.enable", "false"));
        assertThat(broker.said("woven into Kafka"))
                .singleElement()
                .asString()
                .contains("tiered-ssd")
                .doesNotContain("purgatory-wheel", "replaced");
        try (Gauges gauges = new Gauges(broker)) {
            assertThat(gauges.isWheel("Fetch")).isFalse();
            assertThat(gauges.delayed("Fetch")).isZero();
        }
    }

    @Test
    void aMisspeltKeyIsAnsweredWithTheNearestOne() throws Exception {
        assertThat(StartRefusal.of(
                        BrokerConfig.under(dir.resolve("node"), 1, 0).patched().with("purgatory.wheel.tick", 1)))
                .contains("purgatory.wheel.tick=1", "did you mean purgatory.wheel.tick.ms?");
        assertThat(StartRefusal.of(
                        BrokerConfig.under(dir.resolve("node"), 1, 0).patched().with("purgatory.wheel.size", 500)))
                .contains("purgatory.wheel.size=500 must be a power of two");
    }
}
