/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.cluster.History.Outcome;
import io.evenkeel.it.cluster.History.Placed;
import io.evenkeel.it.cluster.History.Poll;
import io.evenkeel.it.cluster.History.Send;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final AtomicLong nanos = new AtomicLong(10);
    private final History history = new History(nanos::getAndIncrement);

    @Test
    void isInTheFormOfTheChecker() {
        int process = history.newProcess();
        history.invoke(process, "assign", List.of(0, 1));
        history.end(Outcome.OK, process, "assign", List.of(0, 1), null);
        Send send = new Send(1, history.newValue(), null);
        history.invoke(process, "txn", List.of(History.POLL, send));
        Poll poll = new Poll(Map.of(0, List.of(new Placed(5, 8), new Placed(7, 9))));
        history.end(Outcome.OK, process, "txn", List.of(poll, send.at(3)), null);
        assertThat(history.lines())
                .containsExactly(
                        "{:index 0, :time 10, :process 0, :type :invoke, :f :assign, :value [0 1]}",
                        "{:index 1, :time 11, :process 0, :type :ok, :f :assign, :value [0 1]}",
                        "{:index 2, :time 12, :process 0, :type :invoke, :f :txn, :value [[:poll] [:send 1 0]]}",
                        "{:index 3, :time 13, :process 0, :type :ok, :f :txn,"
                                + " :value [[:poll {0 [[5 8] [7 9]]}] [:send 1 [3 0]]]}");
    }

    @Test
    void saysWhyNobodyKnowsTheOutcome() {
        history.end(Outcome.INFO, 4, "send", List.of(new Send(0, 7, null)), new IllegalStateException("lost"));
        assertThat(history.lines())
                .containsExactly("{:index 0, :time 10, :process 4, :type :info, :f :send, :value [[:send 0 7]],"
                        + " :error :IllegalStateException}");
    }
}
