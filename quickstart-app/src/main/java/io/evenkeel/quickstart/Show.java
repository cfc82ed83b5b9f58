/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Leaders;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Lets records flow through a running broker, shows it, and verifies all of them at the end. Not thread safe. */
final class Show {
    private static final String TOPIC = "shop-events";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** While the JVMs still compile, latencies say nothing about the disks. */
    private static final int WARM_UP_SECONDS = 10;

    private static final double LAGGARD_SPEED = 1.8;

    private final Options options;
    private final Workspace workspace;
    private final ForkedBroker broker;
    private final LiveView view;
    private final PrintStream out;
    private final Producing producing;
    private final Consuming realTime;
    private final Consuming laggard;
    private final Histogram latenciesMs = new Histogram(3);
    private TierGauges gauges = TierGauges.NONE;
    private boolean allStatesSeen;
    private boolean laggardStarted;

    Show(Options options, Workspace workspace, ForkedBroker broker, LiveView view, PrintStream out) {
        this.options = options;
        this.workspace = workspace;
        this.broker = broker;
        this.view = view;
        this.out = out;
        this.producing =
                new Producing(broker.clientProperties(), TOPIC, Quickstart.PARTITIONS, options.rateBytesPerSecond());
        this.realTime = consuming("real-time consumer", Long.MAX_VALUE);
        this.laggard = consuming("laggard", (long) (options.rateBytesPerSecond() * LAGGARD_SPEED));
    }

    private Consuming consuming(String name, long bytesPerSecond) {
        return new Consuming(name, broker.clientProperties(), TOPIC, Quickstart.PARTITIONS, bytesPerSecond);
    }

    /** Returns true if every check passed. */
    boolean run() throws IOException, InterruptedException {
        createTopic();
        try (JMXConnector jmx = broker.jmx()) {
            flow(jmx.getMBeanServerConnection());
            producing.end();
            realTime.endAfter(producing.acknowledged(), PATIENCE);
            laggard.endAfter(producing.acknowledged(), PATIENCE);
            gauges = gauges(jmx.getMBeanServerConnection());
        }
        long wanted = producing.acknowledged();
        out.printf("%nVerifying %,d records …%n", wanted);
        Consuming verifying = consuming("verification", Long.MAX_VALUE);
        verifying.start();
        verifying.endAfter(wanted, PATIENCE.multipliedBy(2));
        return summary(wanted, List.of(realTime, laggard, verifying));
    }

    private void createTopic() throws IOException, InterruptedException {
        try (Admin admin = Admin.create(broker.clientProperties())) {
            NewTopic topic = new NewTopic(TOPIC, Optional.of(Quickstart.PARTITIONS), Optional.of((short) 1));
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            throw new IOException("could not create the topic " + TOPIC, e);
        }
        Leaders.await(
                broker.clientProperties(),
                IntStream.range(0, Quickstart.PARTITIONS)
                        .mapToObj(partition -> new TopicPartition(TOPIC, partition))
                        .toList());
    }

    private TierGauges gauges(MBeanServerConnection mbeans) throws IOException {
        return options.stock() ? TierGauges.NONE : TierGauges.read(mbeans);
    }

    /** Reads the gauges once a second. */
    private void flow(MBeanServerConnection mbeans) throws IOException, InterruptedException {
        producing.start();
        realTime.start();
        long readNanos = System.nanoTime();
        long producedBytes = 0;
        for (int second = 1; second <= options.seconds(); second++) {
            producing.join(1000);
            if (!laggardStarted && options.laggardIsDue(second, gauges.segmentsWithoutCache() > 0)) {
                laggard.start();
                laggardStarted = true;
            }
            throwIfFailed();
            long nowNanos = System.nanoTime();
            long nowProduced = producing.bytes();
            TierGauges before = gauges;
            gauges = gauges(mbeans);
            allStatesSeen |= gauges.hasAllStates();
            Histogram latest = realTime.latenciesMs();
            if (second > WARM_UP_SECONDS) {
                latenciesMs.add(latest);
            }
            view.show(new LiveView.Reading(
                    second,
                    options.seconds(),
                    !options.stock(),
                    (nowNanos - readNanos) / 1e9,
                    before,
                    gauges,
                    nowProduced - producedBytes,
                    laggard(nowProduced),
                    latest));
            readNanos = nowNanos;
            producedBytes = nowProduced;
        }
    }

    private String laggard(long producedBytes) {
        return laggardStarted
                ? LiveView.mb(Math.max(0, producedBytes - laggard.bytes())) + " behind"
                : "has not started yet";
    }

    private void throwIfFailed() throws IOException {
        Throwable failure = firstFailure(List.of(realTime, laggard));
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (!broker.isAlive()) {
            throw new IOException("the broker has exited");
        }
    }

    private @Nullable Throwable firstFailure(List<Consuming> consumers) {
        return Stream.concat(
                        Stream.ofNullable(producing.failure()),
                        consumers.stream().map(Consuming::failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private boolean summary(long wanted, List<Consuming> consumers) {
        Throwable failure = firstFailure(consumers);
        boolean complete = consumers.stream().allMatch(consumer -> consumer.records() == wanted);
        boolean laggardReadHdd = gauges.hddReadBytes() > 0;
        out.println();
        check(failure == null, failure == null ? "nothing failed" : "failed: " + failure);
        for (Consuming consumer : consumers) {
            check(
                    consumer.records() == wanted && consumer.failure() == null,
                    "%s: %,d of %,d records, unchanged and in order"
                            .formatted(consumer.getName(), consumer.records(), wanted));
        }
        if (!options.stock()) {
            check(allStatesSeen, "segments were in all three states while records flowed");
            check(laggardReadHdd, "the laggard read evicted segments from the HDD");
        }
        out.printf(
                "%nreal-time consumer after %d s: p50 %d ms, p99 %d ms; %s produced%n",
                WARM_UP_SECONDS,
                latenciesMs.getValueAtPercentile(50),
                latenciesMs.getValueAtPercentile(99),
                LiveView.mb(producing.bytes()));
        whereThingsAre();
        return failure == null && complete && (options.stock() || (allStatesSeen && laggardReadHdd));
    }

    private void whereThingsAre() {
        out.printf("log directory (HDD)  %s%n", workspace.hdd());
        if (!options.stock()) {
            out.printf("SSD directory        %s%n", workspace.ssd());
        }
        out.printf("broker's log         %s%n", broker.logFile());
        out.printf("configuration        %s%n", workspace.dir().resolve("server.properties"));
        out.printf("list the segments    ls -l %s%n", workspace.hdd().resolve(TOPIC + "-0"));
        out.printf("remove everything    rm -r %s (the next run does this)%n", workspace.dir());
        if (!options.stock()) {
            out.printf("%nA segment in each state, in the two directories:%n");
            SegmentFiles files = SegmentFiles.of(broker.config()).of(TOPIC);
            for (State state : State.values()) {
                files.in(state).stream().findFirst().ifPresent(this::show);
            }
        }
    }

    private void show(SegmentFiles.Segment segment) {
        out.printf("  %-14s %s%n", segment.state(), workspace.dir().relativize(segment.path()));
        Path ssdFile = segment.ssdFile();
        if (ssdFile != null) {
            String relation = segment.state() == State.ONLY_CACHE ? "is a link to" : "and";
            out.printf("  %14s %s%n", relation, workspace.dir().relativize(ssdFile));
        }
    }

    private void check(boolean held, String what) {
        out.println((held ? "  ok      " : "  FAILED  ") + what);
    }
}
