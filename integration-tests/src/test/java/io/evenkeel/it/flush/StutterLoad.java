/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.it.flush.StutterProducer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Clients of each kind, each in a thread of its own. One thread drives it. */
final class StutterLoad implements AutoCloseable {
    /** Of each topic: with the internal ones, each of the brokers' disks has some of each kind. */
    static final int PARTITIONS = 4;

    private static final long PAUSE_MS = 10;
    private static final int TRANSACTIONAL_IDS = 3;
    private static final int WARM_STEPS = 20;

    private final StutteringBrokers brokers;
    private final ClientErrors errors;
    private final List<StutterProducer> producers = new ArrayList<>();
    private final List<StutterTransactions> transactions = new ArrayList<>();
    private final List<StutterGroup> groups = new ArrayList<>();
    private final List<Repeated> writers = new ArrayList<>();
    private final List<Repeated> readers = new ArrayList<>();

    StutterLoad(StutteringBrokers brokers, ClientErrors errors) {
        this.brokers = brokers;
        this.errors = errors;
        for (Kind kind : Kind.values()) {
            String topic = topic(kind.name());
            producers.add(new StutterProducer(kind, brokers.client(), topic, PARTITIONS, errors));
        }
        for (int id = 0; id < TRANSACTIONAL_IDS; id++) {
            String topic = topic(StutterTransactions.CLIENT + id);
            transactions.add(new StutterTransactions(brokers.client(), topic, PARTITIONS, errors));
        }
    }

    /** Creates the topic, and a group that reads it. */
    private String topic(String name) {
        brokers.create(name, PARTITIONS);
        StutterGroup group = new StutterGroup(brokers.client(), name, errors);
        groups.add(group);
        return name;
    }

    void start() {
        producers.forEach(one -> writers.add(new Repeated(one.kind().name(), PAUSE_MS, one::send)));
        transactions.forEach(one -> writers.add(new Repeated(one.sent().topic(), PAUSE_MS, one::writeOne)));
        groups.forEach(one -> readers.add(new Repeated(one.group(), PAUSE_MS, one::readAndCommit)));
    }

    /** Waits until all groups have formed and all producers know their leaders; errors before are of the start. */
    void awaitUnderWay() {
        await("writers")
                .atMost(StutteringBrokers.DEADLINE)
                .until(() -> writers.stream().allMatch(one -> one.count() > WARM_STEPS));
        await("groups")
                .atMost(StutteringBrokers.DEADLINE)
                .until(() -> groups.stream().noneMatch(one -> one.committed().isEmpty()));
    }

    /** Ends all clients; each record is then acknowledged or has failed. */
    void end() {
        writers.forEach(Repeated::close);
        producers.forEach(StutterProducer::end);
        transactions.forEach(StutterTransactions::end);
        readers.forEach(Repeated::close);
    }

    Properties client() {
        return brokers.client();
    }

    List<StutterProducer> producers() {
        return producers;
    }

    List<StutterTransactions> transactions() {
        return transactions;
    }

    List<StutterGroup> groups() {
        return groups;
    }

    @Override
    public void close() {
        writers.forEach(Repeated::end);
        readers.forEach(Repeated::end);
        producers.forEach(StutterProducer::close);
        transactions.forEach(StutterTransactions::close);
        groups.forEach(StutterGroup::close);
    }
}
