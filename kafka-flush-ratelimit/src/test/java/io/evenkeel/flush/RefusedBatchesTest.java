/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusedBatchesTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final int IN_FLIGHT = 5;
    private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final RefusedBatches refused = new RefusedBatches();

    @Test
    void i7TheOthersOfItsProducerAreBehindIt() {
        assertThat(refused.precede(batch(1, 0, 0))).isFalse();
        refused.refused(batch(1, 0, 0), 0);
        assertThat(refused.precede(batch(1, 0, 1))).isTrue();
        assertThat(refused.precede(batch(2, 0, 1))).as("another producer").isFalse();
        assertThat(refused.precede(batch(1, 0, 0))).isFalse();
        assertThat(refused.precede(batch(1, 0, 1))).isFalse();
    }

    @Test
    void aProducerBeginsAnewWithAnotherEpoch() {
        refused.refused(batch(1, 5, 3), 0);
        assertThat(refused.precede(batch(1, 4, 4))).as("fenced").isFalse();
        assertThat(refused.precede(batch(1, 5, 4))).isTrue();
        assertThat(refused.precede(batch(1, 6, 0))).isFalse();
        assertThat(refused.precede(batch(1, 6, 1))).isFalse();
    }

    @Test
    void oneThatDoesNotComeAgainIsNotWaitedForWithoutEnd() {
        refused.refused(batch(1, 0, 0), 0);
        for (int behind = 1; behind < IN_FLIGHT; behind++) {
            assertThat(refused.precede(batch(1, 0, 1))).isTrue();
        }
        assertThat(refused.precede(batch(1, 0, 1))).isFalse();
        assertThat(refused.precede(batch(1, 0, 2))).isFalse();
    }

    @Test
    void oneThatIsRefusedAgainIsWaitedForAnew() {
        refused.refused(batch(1, 0, 0), 0);
        for (int again = 0; again < 2; again++) {
            assertThat(refused.precede(batch(1, 0, 1))).isTrue();
            assertThat(refused.precede(batch(1, 0, 2))).isTrue();
            assertThat(refused.precede(batch(1, 0, 0))).isFalse();
            refused.refused(batch(1, 0, 0), 0);
        }
        assertThat(refused.precede(batch(1, 0, 1))).isTrue();
    }

    @Test
    void aProducerThatDoesNotComeAgainIsForgotten() {
        refused.refused(batch(1, 0, 0), 0);
        refused.refused(batch(2, 0, 0), KEEP_NANOS);
        assertThat(refused.precede(batch(1, 0, 1))).isTrue();
        refused.refused(batch(3, 0, 0), KEEP_NANOS + 1);
        assertThat(refused.precede(batch(1, 0, 1))).isFalse();
        assertThat(refused.precede(batch(2, 0, 1))).isTrue();
    }

    /**
     * Producers that send up to five batches before they hear of the first, to a broker that refuses at random and lets
     * any number begin: all comes in once, and in order.
     */
    @Test
    void i7WhateverIsRefusedAllComesInInOrder() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            RefusedBatches broker = new RefusedBatches();
            List<Producer> producers = List.of(new Producer(1), new Producer(2), new Producer(3));
            for (int step = 0; step < 500; step++) {
                producers.get(random.nextInt(producers.size())).step(broker, random, random.nextInt(100) < 60);
            }
            for (Producer producer : producers) {
                while (producer.written.size() < producer.next) {
                    producer.step(broker, random, false);
                }
                for (int sequence = 0; sequence < producer.next; sequence++) {
                    assertThat(producer.written.get(sequence))
                            .as("I7, seed %d", seed)
                            .isEqualTo(sequence);
                }
            }
        }
    }

    /** Sends again what was refused, before anything else. */
    private static final class Producer {
        private final long id;
        private final List<Integer> written = new ArrayList<>();
        private int next;

        private Producer(long id) {
            this.id = id;
        }

        private void step(RefusedBatches broker, Random random, boolean refuses) {
            int first = written.size();
            int inFlight = 1 + random.nextInt(IN_FLIGHT);
            for (int sequence = first; sequence < first + inFlight; sequence++) {
                SequencedBatch batch = batch(id, 0, sequence);
                next = Math.max(next, sequence + 1);
                if (!broker.precede(batch)) {
                    if (refuses && random.nextBoolean()) {
                        broker.refused(batch, 0);
                    } else {
                        written.add(sequence);
                    }
                }
            }
        }
    }

    private static SequencedBatch batch(long producerId, int epoch, int baseSequence) {
        return new SequencedBatch(producerId, (short) epoch, baseSequence);
    }
}
