/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.it.cluster.TransactionWriter.Outcome;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** {@link ClusterIT} proves something only if {@link Delivered} finds every fault. */
class DeliveredTest {
    private static final int WRITER = 0;
    private static final int TRANSACTIONS = 1;

    private final Delivered delivered = new Delivered(2, TRANSACTIONS);

    @Test
    void noticesWhatIsLostDoubledOrOutOfOrder() {
        write(0, 0);
        write(0, 1);
        write(1, 0);
        notices(
                () -> delivered.add(0, new Tagged(WRITER, 0, 3)),
                "sequence=3] after Tagged[writer=0, transaction=0, sequence=1]");
        Delivered doubled = new Delivered(1, TRANSACTIONS);
        doubled.add(0, new Tagged(WRITER, 0, 0));
        notices(() -> doubled.add(0, new Tagged(WRITER, 0, 0)), "sequence=0] after");
        notices(() -> new Delivered(1, TRANSACTIONS).add(0, new Tagged(WRITER, 0, 1)), "sequence=1] after null");
    }

    @Test
    void noticesALostEnd() {
        write(0, 0);
        write(1, 0);
        delivered.demand(WRITER, 1);
        write(1, 1);
        notices(() -> delivered.demand(WRITER, 2), "partition 0 has 1 records of writer 0, not 2");
    }

    @Test
    void noticesTornTransactions() {
        commit(0, 7);
        commit(1, 7);
        delivered.demandTransactions(Map.of(7L, Outcome.COMMITTED, 8L, Outcome.ABORTED));
        notices(() -> delivered.add(0, new Tagged(TRANSACTIONS, 9, 1)), "transaction=9, sequence=1] after");
        delivered.add(1, new Tagged(TRANSACTIONS, 9, 0));
        notices(() -> delivered.add(1, new Tagged(TRANSACTIONS, 10, 0)), "transaction=10, sequence=0] after");
    }

    @Test
    void noticesWhatIsThereAndWasAbortedOrIsNotAndWasCommitted() {
        commit(0, 7);
        commit(1, 7);
        notices(() -> delivered.demandTransactions(Map.of(7L, Outcome.ABORTED)), "transaction 7: ABORTED, but there");
        notices(() -> delivered.demandTransactions(Map.of()), "has not ended");
        notices(
                () -> delivered.demandTransactions(Map.of(7L, Outcome.COMMITTED, 8L, Outcome.COMMITTED)),
                "transaction 8: COMMITTED, but not there in partition 0");
        commit(1, 9);
        notices(
                () -> delivered.demandTransactions(Map.of(7L, Outcome.EITHER, 9L, Outcome.EITHER)),
                "transaction 9: EITHER, but there in partition 1");
    }

    private void write(int partition, long sequence) {
        delivered.add(partition, new Tagged(WRITER, 0, sequence));
    }

    private void commit(int partition, long transaction) {
        for (int sequence = 0; sequence < TransactionWriter.RECORDS; sequence++) {
            delivered.add(partition, new Tagged(TRANSACTIONS, transaction, sequence));
        }
    }

    private static void notices(ThrowingCallable wrong, String message) {
        assertThatThrownBy(wrong).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }
}
