/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendTurnsTest {
    private final SendTurns turns = new SendTurns();
    private final List<Pipe> pipes = new ArrayList<>();
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        for (Pipe pipe : pipes) {
            pipe.sink().close();
            pipe.source().close();
        }
    }

    @Test
    void aSendAloneNeverWaits() throws IOException {
        List<SelectionKey> keys = keys(1);
        for (int poll = 0; poll < 10; poll++) {
            assertThat(poll(List.of())).as("sends in a poll").containsExactlyInAnyOrderElementsOf(keys);
        }
    }

    /** Else those that a selector returns first would keep the others from sending. */
    @Test
    void ofManyOneSendsInEachPollAndAllHaveTheirTurns() throws IOException {
        List<SelectionKey> keys = keys(21);
        Map<SelectionKey, Integer> sends = new HashMap<>();
        for (int poll = 0; poll < 210; poll++) {
            List<SelectionKey> sent = poll(List.of());
            assertThat(sent).hasSize(1);
            sent.forEach(key -> sends.merge(key, 1, Integer::sum));
        }
        assertThat(keys).allSatisfy(key -> assertThat(sends.get(key)).isEqualTo(10));
    }

    @Test
    void thoseThatADiskHasWokenTakeTurnsWithTheOthers() throws IOException {
        List<SelectionKey> others = keys(8);
        List<SelectionKey> woken = keys(3);
        woken.forEach(key -> key.interestOpsAnd(~SelectionKey.OP_WRITE));
        poll(List.of());
        List<SelectionKey> sent = new ArrayList<>(poll(woken));
        for (int poll = 1; poll < 10; poll++) {
            sent.addAll(poll(List.of()));
        }
        assertThat(sent).containsAll(woken).containsAnyElementsOf(others);
    }

    @Test
    void aPollDoesNotWaitWhileSomebodyIsLeftInLine() throws IOException {
        keys(3);
        poll(List.of());
        assertThat(turns.begin(List.of())).isTrue();
        assertThat(turns.begin(List.of())).isFalse();
    }

    /** Its socket is full, and nobody knows for how long. */
    @Test
    void aTurnThatIsNotTakenHoldsUpNobody() throws IOException {
        List<SelectionKey> keys = keys(12);
        poll(List.of());
        for (int poll = 0; poll < 11; poll++) {
            turns.begin(List.of()); // none of those whose turn it is can be written to
        }
        assertThat(turns.begin(List.of())).as("nobody waits in line").isFalse();
        assertThat(keys).allMatch(key -> key.interestOps() == SelectionKey.OP_WRITE);
    }

    @Test
    void aConnectionThatIsClosedLeavesTheLine() throws IOException {
        List<SelectionKey> keys = keys(5);
        poll(List.of());
        keys.forEach(SelectionKey::cancel);
        assertThat(turns.begin(List.of())).isFalse();
    }

    /** The keys that are ready, in the order of their creation, ask whether they may send. */
    private List<SelectionKey> poll(List<SelectionKey> woken) throws IOException {
        boolean isLineLeft = turns.begin(woken);
        assertThat(isLineLeft && selector.keys().size() == 1).isFalse();
        selector.selectNow();
        return pipes.stream()
                .map(pipe -> pipe.sink().keyFor(selector))
                .filter(selector.selectedKeys()::remove)
                .filter(this::sends)
                .toList();
    }

    /** As the hook does it. */
    private boolean sends(SelectionKey key) {
        boolean isDue = turns.isDue(key);
        if (!isDue) {
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
        }
        return isDue;
    }

    private List<SelectionKey> keys(int count) throws IOException {
        List<SelectionKey> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pipe pipe = Pipe.open();
            pipes.add(pipe);
            pipe.sink().configureBlocking(false);
            keys.add(pipe.sink().register(selector, SelectionKey.OP_WRITE));
        }
        return keys;
    }
}
