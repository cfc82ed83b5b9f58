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

    /** Slow clients, each of which would else be taken for one that needs no HDD, whenever it comes back. */
    @Test
    void whereAClientReadsThatHasBeenSilentIsNotKnown() {
        assertThat(fetches("1", "loader")).as("the first fetch").isTrue();
        nowNanos += TimeUnit.SECONDS.toNanos(10);
        assertThat(fetches("1", "loader")).isFalse();
        nowNanos += TimeUnit.SECONDS.toNanos(11);
        assertThat(fetches("1", "loader"))
                .as("as long as ColdFetches remembers")
                .isTrue();
        assertThat(fetches("1", "loader")).isFalse();
    }

    @Test
    void noMoreConnectionsAreRememberedThanAllowed() {
        for (int i = 0; i <= ColdClients.MOST_CONNECTIONS; i++) {
            fetches("connection " + i, "client " + i);
        }
        clients.fetches("late", "broker-1-fetcher-0", () -> true, nowNanos);
        assertThat(clients.isReplica("late")).isTrue();
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

    /** Else the client gives up after its timeout, asks again, and never gets anything. */
    @Test
    void noResponseIsHeldUpForLong() {
        clients.ceiling(1, nowNanos);
        fetches("1", "loader");
        clients.sent("1", "orders", 1_000_000, nowNanos);
        assertThat(clients.owedNanos("1", nowNanos)).isEqualTo(ColdClients.LONGEST_DELAY_NANOS);
        nowNanos += ColdClients.LONGEST_DELAY_NANOS;
        assertThat(clients.owedNanos("1", nowNanos)).isZero();
        fetches("1", "loader");
        assertThat(clients.owedNanos("1", nowNanos)).isPositive();
    }

    @Test
    void whatIsOwedDoesNotGrowWithoutEnd() {
        clients.ceiling(100, nowNanos);
        fetches("1", "loader");
        for (int i = 0; i < 100; i++) {
            clients.sent("1", "orders", 500, nowNanos);
        }
        nowNanos += ClientCeilings.MOST_OWED_NANOS + TimeUnit.SECONDS.toNanos(5);
        fetches("1", "loader");
        assertThat(clients.owedNanos("1", nowNanos)).isZero();
    }

    /** Each by itself, at a steady rate, in steps of what a transfer sends. */
    @Test
    void clientsGetTheCeilingInTheLongRun() {
        clients.ceiling(1 << 20, nowNanos);
        long[] bytes = new long[2];
        for (int milli = 0; milli < 60_000; milli++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
            for (int i = 0; i < bytes.length; i++) {
                fetches("" + i, "client " + i);
                if (clients.owedNanos("" + i, nowNanos) == 0) {
                    clients.sent("" + i, "orders", 128 << 10, nowNanos);
                    bytes[i] += 128 << 10;
                }
            }
        }
        assertThat(bytes[0]).isBetween(59L << 20, 61L << 20);
        assertThat(bytes[1]).isEqualTo(bytes[0]);
    }

    @Test
    void aResponseBringsWhatItsClientMayGetInASecond() {
        fetches("1", "loader");
        fetches("2", "reads from memory");
        clients.fetches("3", "broker-1-fetcher-0", () -> true, nowNanos);
        clients.sent("1", "orders", 1, nowNanos);
        assertThat(clients.mostBytes("1")).as("no ceiling").isEqualTo(Long.MAX_VALUE);
        clients.ceiling(100, nowNanos);
        clients.sent("1", "orders", 1, nowNanos);
        clients.sent("3", "orders", 1, nowNanos);
        assertThat(clients.mostBytes("1")).isEqualTo(100);
        assertThat(clients.mostBytes("2")).isEqualTo(Long.MAX_VALUE);
        assertThat(clients.mostBytes("3")).isEqualTo(Long.MAX_VALUE);
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

    private boolean fetches(String connection, String client) {
        return clients.fetches(connection, client, () -> false, nowNanos);
    }

    private ColdClients.Changes turn() {
        return clients.turn(nowNanos);
    }
}
