/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Readiness;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The brokers of one test: killed after it, and what they said last is shown when it failed. */
final class Brokers implements AfterEachCallback {
    private final Function<BrokerConfig, Broker> kind;
    private final List<Broker> brokers = new ArrayList<>();

    Brokers(Function<BrokerConfig, Broker> kind) {
        this.kind = kind;
    }

    static Brokers forked() {
        return new Brokers(config -> new ForkedBroker(KafkaRuntime.find(), config));
    }

    /** A broker that is not started yet. */
    Broker create(BrokerConfig config) {
        Broker broker = kind.apply(config);
        brokers.add(broker);
        return broker;
    }

    Broker start(BrokerConfig config) {
        return create(config).start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            brokers.stream().map(Broker::logFile).distinct().forEach(Readiness::print);
        }
        brokers.forEach(Broker::close);
    }
}
