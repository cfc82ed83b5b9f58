/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.lang.Thread.State.TIMED_WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final byte[] STOCK = {1};
    private static final byte[] OURS = {2};

    private final ClassLoader loader = new ClassLoader() {};
    private final List<Throwable> refused = new ArrayList<>();
    private final Gate gate = new Gate(loader, Set.of("kafka.A", "kafka.B"), null, refused::add);

    @Test
    void whoLoadsAClassThatMayChangeWaitsAndGetsItChanged() throws Exception {
        FutureTask<byte[]> loading = new FutureTask<>(() -> load("kafka/A"));
        Thread thread = new Thread(loading);
        thread.start();
        await().until(() -> thread.getState() == TIMED_WAITING);
        assertThat(load("kafka/C")).as("nobody changes it, so nobody waits").isNull();
        assertThat(gate.transform(new ClassLoader() {}, "kafka/A", null, null, STOCK))
                .as("a plugin's own")
                .isNull();

        gate.open(Map.of("kafka.A", stock -> OURS));
        assertThat(loading.get()).isEqualTo(OURS);
        assertThat(gate.hasChanged("kafka.A")).isTrue();
        assertThat(load("kafka/B")).as("left out").isNull();
        assertThat(gate.hasChanged("kafka.B")).isFalse();
        assertThat(refused).isEmpty();
    }

    @Test
    void whatCannotBeChangedIsRefusedBeforeItLoads() {
        IllegalStateException unfit = new IllegalStateException("does not fit");
        gate.open(Map.of("kafka.A", stock -> {
            throw unfit;
        }));
        assertThat(load("kafka/A")).isNull();
        assertThat(refused).containsExactly(unfit);
        assertThat(gate.failure("kafka.A")).isSameAs(unfit);
        assertThat(gate.hasChanged("kafka.A")).isFalse();
    }

    @Test
    void lettingGoKeepsWhatIsKnown() {
        gate.open(Map.of("kafka.A", stock -> OURS));
        gate.letGo();
        assertThat(load("kafka/A")).isEqualTo(OURS);
    }

    private byte @Nullable [] load(String internalName) {
        return gate.transform(loader, internalName, null, null, STOCK);
    }
}
