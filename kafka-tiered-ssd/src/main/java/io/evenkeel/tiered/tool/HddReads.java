/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static java.util.Comparator.comparingLong;

import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.kafka.ColdClientGauges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;

/**
 * Who reads from the HDDs of a running broker, and what that does to them. Immutable.
 *
 * @param clients those that read there in the last ten minutes, the one that reads most first
 * @param bytesPerSecond read from the HDDs for them, over the last minute
 * @param busyPercent of the time of one HDD that these reads take, over the last minute
 * @param waits reads in this moment that waited for an HDD
 * @param meanWaitMs how long they did
 * @param queuedChunks chunks that are to be read from the HDDs
 * @param waitingSends responses that wait for bytes from an HDD or an SSD
 * @param bufferBytes memory in use for what is read from the HDDs and SSDs
 * @param bufferLimitBytes the memory that may be used for it
 */
record HddReads(
        List<Client> clients,
        long bytesPerSecond,
        long busyPercent,
        long waits,
        long meanWaitMs,
        long queuedChunks,
        long waitingSends,
        long bufferBytes,
        long bufferLimitBytes) {
    private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What a client gets of a topic from the HDDs: since it began, and now. */
    record Client(String clientId, String topic, long bytes, long bytesPerSecond) {}

    /** Values at one instant. */
    private record Sample(long atNanos, Map<ObjectName, Long> clientBytes, long waits, long waitMs) {
        static Sample of(RunningBroker broker) throws IOException {
            Map<ObjectName, Long> bytes = new HashMap<>();
            for (ObjectName name : broker.names("kafka.log:type=TieredSsd,name=" + ColdClientGauges.NAME + ",*")) {
                bytes.put(name, broker.number(name.getCanonicalName()));
            }
            return new Sample(System.nanoTime(), bytes, broker.tier("HddReadWaits"), broker.tier("HddReadWaitMs"));
        }

        private List<Client> clientsSince(Sample before) {
            List<Client> clients = new ArrayList<>();
            clientBytes.forEach((name, bytes) -> {
                long more = bytes - before.clientBytes.getOrDefault(name, bytes);
                long perSecond = Math.round(more * NANOS_PER_SECOND / (atNanos - before.atNanos));
                clients.add(new Client(tag(name, "client-id"), tag(name, "topic"), bytes, perSecond));
            });
            clients.sort(comparingLong(Client::bytesPerSecond)
                    .thenComparingLong(Client::bytes)
                    .reversed());
            return clients;
        }

        private static String tag(ObjectName name, String tag) {
            String value = name.getKeyProperty(tag);
            return value.startsWith("\"") ? ObjectName.unquote(value) : value;
        }
    }

    /** Looks for a moment. */
    static HddReads of(RunningBroker broker, long settingBytes) throws IOException, InterruptedException {
        broker.tier("ColdReadBusyPercent"); // the first reading begins the time that it is a mean of
        Sample before = Sample.of(broker);
        TimeUnit.NANOSECONDS.sleep(MOMENT_NANOS);
        Sample now = Sample.of(broker);
        long waits = now.waits() - before.waits();
        long bufferBytes = broker.tier("ColdReadBufferBytes");
        return new HddReads(
                now.clientsSince(before),
                broker.tier("ColdReadBytesPerSec"),
                broker.tier("ColdReadBusyPercent"),
                waits,
                waits == 0 ? 0 : (now.waitMs() - before.waitMs()) / waits,
                broker.tier("ColdReadQueue"),
                broker.tier("ColdReadWaitingSends"),
                bufferBytes,
                Math.max(settingBytes, bufferBytes)); // each disk gets a least
    }

    void show(Output output) {
        if (clients.isEmpty()) {
            output.line("Reading from the HDD now: nobody.");
        } else {
            output.line("Reading from the HDD now:");
            Table table = new Table("  CLIENT", "TOPIC", "SINCE IT BEGAN", "A SECOND");
            for (Client client : clients) {
                table.row(
                        "  " + client.clientId(),
                        client.topic(),
                        Output.size(client.bytes()),
                        client.bytesPerSecond() == 0 ? "-" : Output.size(client.bytesPerSecond()));
            }
            output.table(table);
        }
        output.line("  HDDs    " + Output.size(bytesPerSecond) + " a second for them, " + busyPercent
                + " % of the time of one HDD; " + Output.count(waits, "read") + " waited"
                + (waits == 0 ? "" : ", " + meanWaitMs + " ms in the mean"));
        output.line("  queue   " + Output.count(queuedChunks, "chunk") + " of " + (ColdReaders.CHUNK_BYTES >> 10)
                + " KiB to be read, " + Output.count(waitingSends, "response") + " waiting");
        output.line(
                "  memory  " + Output.size(bufferBytes) + " of " + Output.size(bufferLimitBytes) + " for what is read");
        output.line("");
    }
}
