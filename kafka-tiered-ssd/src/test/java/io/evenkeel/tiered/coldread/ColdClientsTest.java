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
        fetches("1", "loader");
        assertThat(turn().began()).as("nothing from an HDD").isEmpty();
        clients.sent("1", "orders", 10, nowNanos);
        clients.sent("1", "orders", 20, nowNanos);
        assertThat(turn()).isEqualTo(new ColdClients.Changes(List.of(use), List.of()));
        assertThat(clients.bytes(use)).isEqualTo(30);
        assertThat(turn()).as("it is told once").isEqualTo(new ColdClients.Changes(List.of(), List.of()));
        nowNanos += TimeUnit.MINUTES.toNanos(11);
        assertThat(turn()).isEqualTo(new ColdClients.Changes(List.of(), List.of(use)));
        assertThat(clients.client("1")).isEmpty();
        assertThat(clients.bytes(use)).isZero();
    }

    @Test
    void twoConnectionsOfOneClientCountAsOne() {
        fetches("1", "loader");
        fetches("2", "loader");
        clients.sent("1", "orders", 10, nowNanos);
        clients.sent("2", "orders", 10, nowNanos);
        assertThat(turn().began()).containsExactly(use);
        assertThat(clients.bytes(use)).isEqualTo(20);
    }

    @Test
    void aFetchIsAsOldAsItsRequest() {
        fetches("1", "loader");
        nowNanos += 5;
        fetches("2", "loader");
        assertThat(clients.sinceNanos("1", 99)).isEqualTo(1);
        assertThat(clients.sinceNanos("2", 99)).isEqualTo(6);
        assertThat(clients.sinceNanos("3", 99)).isEqualTo(99);
    }

    /** A connection's client may change, behind a proxy for instance. */
    @Test
    void theLastFetchNamesTheClient() {
        fetches("1", "other");
        fetches("1", "loader");
        clients.sent("1", "orders", 10, nowNanos);
        assertThat(clients.bytes(use)).isEqualTo(10);
    }

    @Test
    void tooManyClientsShareOneCount() {
        for (int i = 0; i < ColdClients.MOST_USES + 50; i++) {
            fetches("connection " + i, "client " + i);
            clients.sent("connection " + i, "orders", 1, nowNanos);
        }
        assertThat(turn().began()).hasSize(ColdClients.MOST_USES + 1).contains(Use.OTHERS);
        assertThat(clients.bytes(Use.OTHERS)).isEqualTo(50);
    }

    @Test
    void noMoreConnectionsAreRememberedThanAllowed() {
        for (int i = 0; i <= ColdClients.MOST_CONNECTIONS; i++) {
            fetches("connection " + i, "client " + i);
        }
        assertThat(clients.client("connection 1")).isEqualTo("client 1");
        assertThat(clients.client("connection " + ColdClients.MOST_CONNECTIONS)).isEmpty();
        clients.sent("connection " + ColdClients.MOST_CONNECTIONS, "orders", 7, nowNanos);
        assertThat(clients.bytes(Use.OTHERS)).as("counted all the same").isEqualTo(7);
    }

    @Test
    void whatAClientGotIsPaidForByAllItsConnections() {
        clients.ceiling(100, nowNanos);
        fetches("1", "loader");
        fetches("2", "loader");
        fetches("3", "other");
        assertThat(clients.owedNanos("1", nowNanos))
                .as("the first bytes are free")
                .isZero();
        clients.sent("1", "orders", 210, nowNanos);
        assertThat(clients.owedNanos("2", nowNanos)).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(clients.owedNanos("3", nowNanos)).isZero();
        clients.ceiling(200, nowNanos);
        assertThat(clients.owedNanos("1", nowNanos)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(clients.owedNanos("1", nowNanos))
                .as("slow, but never starved")
                .isZero();
        clients.sent("1", "orders", 1000, nowNanos);
        clients.ceiling(Long.MAX_VALUE, nowNanos);
        assertThat(clients.owedNanos("1", nowNanos)).isZero();
    }

    @Test
    void replicasPayNothing() {
        clients.ceiling(1, nowNanos);
        clients.fetches("1", "broker-1-fetcher-0", () -> true, nowNanos);
        clients.sent("1", "orders", 1_000_000, nowNanos);
        assertThat(clients.isReplica("1")).isTrue();
        assertThat(clients.owedNanos("1", nowNanos)).isZero();
    }

    @Test
    void clientsThatOweNothingAreForgotten() {
        ClientCeilings ceilings = new ClientCeilings();
        ceilings.rate(100, nowNanos);
        ceilings.charge("owes", 1_000_000, nowNanos);
        for (int i = 0; i < 3 * ClientCeilings.MANY; i++) {
            ceilings.charge("client " + i, 1, nowNanos);
        }
        assertThat(ceilings.remembered()).isLessThanOrEqualTo(ClientCeilings.MANY);
        assertThat(ceilings.waitNanos("owes", nowNanos)).isPositive();
    }

    private void fetches(String connection, String client) {
        clients.fetches(connection, client, () -> false, nowNanos);
    }

    private ColdClients.Changes turn() {
        return clients.turn(nowNanos);
    }
}
