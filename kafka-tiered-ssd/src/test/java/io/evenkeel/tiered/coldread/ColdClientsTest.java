/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.coldread.ColdClients.Use;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ColdClientsTest {
    private final ColdClients clients = new ColdClients();
    private final Use use = new Use("loader", "orders");
    private long nowNanos = 1;

    @Test
    void whatAClientReadsIsCountedByTopicFromItsBeginningToItsEnd() {
        clients.sent("1", "orders", 5, nowNanos);
        assertThat(turn().began()).as("no HDD was met").isEmpty();
        clients.met("1", "loader", false, nowNanos);
        clients.sent("1", "orders", 10, nowNanos);
        clients.sent("1", "orders", 20, nowNanos);
        assertThat(turn()).isEqualTo(new ColdClients.Changes(List.of(use), List.of()));
        assertThat(clients.bytes(use)).isEqualTo(30);
        assertThat(turn()).as("it is told once").isEqualTo(new ColdClients.Changes(List.of(), List.of()));
        nowNanos += TimeUnit.MINUTES.toNanos(11);
        assertThat(turn()).isEqualTo(new ColdClients.Changes(List.of(), List.of(use)));
        assertThat(clients.isIdle()).isTrue();
        assertThat(clients.bytes(use)).isZero();
    }

    @Test
    void twoConnectionsOfOneClientCountAsOne() {
        clients.met("1", "loader", false, nowNanos);
        clients.met("2", "loader", false, nowNanos);
        clients.sent("1", "orders", 10, nowNanos);
        clients.sent("2", "orders", 10, nowNanos);
        assertThat(turn().began()).containsExactly(use);
        assertThat(clients.bytes(use)).isEqualTo(20);
    }

    @Test
    void tooManyClientsShareOneCount() {
        for (int i = 0; i < ColdClients.MOST_USES + 50; i++) {
            clients.met("connection " + i, "client " + i, false, nowNanos);
            clients.sent("connection " + i, "orders", 1, nowNanos);
        }
        assertThat(turn().began()).hasSize(ColdClients.MOST_USES + 1).contains(Use.OTHERS);
        assertThat(clients.bytes(Use.OTHERS)).isEqualTo(50);
    }

    @Test
    void noMoreConnectionsAreRememberedThanAllowed() {
        for (int i = 0; i <= ColdClients.MOST_CONNECTIONS; i++) {
            clients.met("connection " + i, "client", i % 2 == 1, nowNanos);
        }
        clients.met("late", "broker-1-fetcher-0", true, nowNanos);
        assertThat(clients.isReplica("late")).isTrue();
        assertThat(clients.isReplica("connection 1")).isTrue();
        assertThat(clients.isReplica("connection 2")).isFalse();
        clients.sent("connection " + ColdClients.MOST_CONNECTIONS, "orders", 1, nowNanos);
        assertThat(turn().began()).isEmpty();
    }

    private ColdClients.Changes turn() {
        return clients.turn(nowNanos);
    }
}
