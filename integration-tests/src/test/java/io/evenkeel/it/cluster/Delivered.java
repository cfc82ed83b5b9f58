/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.it.cluster.TransactionWriter.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer got of a {@link ClusterLoad}. Each record must be the next of its writer in its partition: none is
 * missing, none comes twice or too early. Not thread safe.
 */
final class Delivered {
    private final int transactionWriter;
    /** By partition: the last record of each writer. */
    private final List<Map<Integer, Tagged>> last = new ArrayList<>();
    /** By partition. */
    private final List<Set<Long>> transactions = new ArrayList<>();

    Delivered(int partitions, int transactionWriter) {
        this.transactionWriter = transactionWriter;
        for (int partition = 0; partition < partitions; partition++) {
            last.add(new HashMap<>());
            transactions.add(new HashSet<>());
        }
    }

    /** Takes the next record; throws an {@link AssertionError} when another one was due. */
    void add(int partition, Tagged found) {
        Tagged before = last.get(partition).put(found.writer(), found);
        boolean inTransaction = found.writer() == transactionWriter;
        if (!(inTransaction ? isNextInTransaction(before, found) : isNext(before, found))) {
            throw new AssertionError("partition " + partition + ": " + found + " after " + before);
        }
        if (inTransaction) {
            transactions.get(partition).add(found.transaction());
        }
    }

    private static boolean isNext(@Nullable Tagged before, Tagged found) {
        return found.sequence() == (before == null ? 0 : before.sequence() + 1);
    }

    /** Transactions may be left out here, but only whole ones. */
    private static boolean isNextInTransaction(@Nullable Tagged before, Tagged found) {
        if (before != null && before.transaction() == found.transaction()) {
            return isNext(before, found);
        }
        return found.sequence() == 0
                && (before == null || (isLast(before) && before.transaction() < found.transaction()));
    }

    private static boolean isLast(Tagged record) {
        return record.sequence() == TransactionWriter.RECORDS - 1;
    }

    /** Asserts the number of records of a writer in each partition. */
    void demand(int writer, long records) {
        for (int partition = 0; partition < last.size(); partition++) {
            Tagged found = last.get(partition).get(writer);
            long end = found == null ? 0 : found.sequence() + 1;
            if (end != records) {
                throw new AssertionError(
                        "partition " + partition + " has " + end + " records of writer " + writer + ", not " + records);
            }
        }
    }

    /** Demands that each partition had all that was committed, whole, and nothing else. */
    void demandTransactions(Map<Long, Outcome> outcomes) {
        for (int partition = 0; partition < transactions.size(); partition++) {
            Set<Long> found = transactions.get(partition);
            for (Map.Entry<Long, Outcome> ended : outcomes.entrySet()) {
                demandTransaction(partition, ended.getKey(), ended.getValue());
            }
            Tagged end = last.get(partition).get(transactionWriter);
            if (!outcomes.keySet().containsAll(found) || (end != null && !isLast(end))) {
                throw new AssertionError("partition " + partition + " has a transaction that has not ended: " + end);
            }
        }
    }

    private void demandTransaction(int partition, long transaction, Outcome outcome) {
        boolean expected =
                outcome == Outcome.EITHER ? transactions.get(0).contains(transaction) : outcome == Outcome.COMMITTED;
        if (transactions.get(partition).contains(transaction) != expected) {
            throw new AssertionError("transaction %d: %s, but %s in partition %d"
                    .formatted(transaction, outcome, expected ? "not there" : "there", partition));
        }
    }

    @Override
    public String toString() {
        return "last records by partition and writer " + last;
    }
}
