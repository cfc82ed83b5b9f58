/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.RecordWriter;
import java.util.function.IntUnaryOperator;

/** Writes to partitions in turn, as fast as the broker allows, until it is ended. */
public final class Load extends Thread {
    private static final int SEGMENT_BYTES = 1 << 20;

    private final RecordWriter writer;
    private final IntUnaryOperator partitionOf;
    private volatile boolean ended;

    public Load(RecordWriter writer, int partitions) {
        this(writer, record -> record % partitions);
    }

    /** With a function that chooses the partition of each record. */
    public Load(RecordWriter writer, IntUnaryOperator partitionOf) {
        super("load");
        this.writer = writer;
        this.partitionOf = partitionOf;
        setDaemon(true);
    }

    /** A broker that flushes each record, evicts, and under load has a copy under way nearly all the time. */
    public static BrokerConfig broker(BrokerConfig config) {
        return config.with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.flush.interval.messages", 1)
                .with("log.initial.task.delay.ms", 100)
                .with("broker.session.timeout.ms", 600)
                .with("broker.heartbeat.interval.ms", 100)
                .with("tiered.ssd.capacity.bytes", 16 * SEGMENT_BYTES)
                .with("tiered.ssd.high.watermark.ratio", "0.7")
                .with("tiered.ssd.low.watermark.ratio", "0.3")

                // about the rate of the load on a slow machine
                .with("tiered.ssd.copy.bytes.per.second", 4 << 20)
                .with("tiered.ssd.copy.min.bytes.per.second", 4 << 20)
                .with("tiered.ssd.copy.interval.ms", 10);
    }

    @Override
    public void run() {
        try {
            for (int i = 0; !ended; i = (i + 1) & Integer.MAX_VALUE) {
                writer.send(partitionOf.applyAsInt(i));
            }
        } catch (RuntimeException e) {
            if (!ended) {
                throw e;
            }
        }
    }

    public void end() throws InterruptedException {
        ended = true;
        writer.close();
        join();
    }
}
