/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Kills the brokers of a test after it, and prints the end of their output if the test failed. */
public final class Brokers implements AfterEachCallback {
    private final Function<BrokerConfig, Broker> kind;
    private final List<Broker> brokers = new ArrayList<>();

    public Brokers(Function<BrokerConfig, Broker> kind) {
        this.kind = kind;
    }

    public static Brokers forked() {
        return new Brokers(config -> new ForkedBroker(KafkaRuntime.find(), config));
    }

    /** A broker that is not started yet. */
    public Broker create(BrokerConfig config) {
        Broker broker = kind.apply(config);
        brokers.add(broker);
        return broker;
    }

    public Broker start(BrokerConfig config) {
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
