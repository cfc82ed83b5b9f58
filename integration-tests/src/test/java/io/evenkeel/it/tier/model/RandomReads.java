/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchDataInfo;

/** The operations that change nothing. Not thread safe. */
final class RandomReads {
    private static final int READ_BYTES = 100_000;
    private static final int HOUR_MS = 3_600_000;
    private static final int HELD_READS = 8;

    private final RandomOperations operations;
    private final SteppedTime time;
    private final Random random;
    private final List<Records> held = new ArrayList<>();

    RandomReads(RandomOperations operations, SteppedTime time, Random random) {
        this.operations = operations;
        this.time = time;
        this.random = random;
    }

    String read() throws IOException {
        long offset = operations.anyOffset();
        int maxBytes = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(READ_BYTES);
        FetchIsolation[] isolations = FetchIsolation.values();
        FetchIsolation isolation = isolations[random.nextInt(isolations.length)];
        boolean minOneMessage = random.nextBoolean();
        int way = random.nextInt(3);
        boolean hold = random.nextInt(5) == 0;
        String what = "%d max %d %s%s ".formatted(offset, maxBytes, isolation, minOneMessage ? " min one" : "");
        return what
                + RandomOperations.answer(() -> {
                    FetchDataInfo info = operations.log().read(offset, maxBytes, isolation, minOneMessage);
                    if (hold && held.size() < HELD_READS && info.records instanceof FileRecords) {
                        held.add(info.records);
                    }
                    return info.fetchOffsetMetadata + " " + info.firstEntryIncomplete + " " + info.abortedTransactions
                            + " " + ReadDigest.of(info.records, way);
                });
    }

    /** A slow consumer: the answer to a fetch is sent when the log has changed since. */
    String readHeld() throws IOException {
        if (held.isEmpty()) {
            return "none";
        }
        int index = random.nextInt(held.size());
        Records records = random.nextInt(3) == 0 ? held.remove(index) : held.get(index);
        return ReadDigest.of(records, random.nextInt(3));
    }

    String offsetByTime() {
        long[] special = {
            ListOffsetsRequest.EARLIEST_TIMESTAMP,
            ListOffsetsRequest.LATEST_TIMESTAMP,
            ListOffsetsRequest.MAX_TIMESTAMP,
            ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP
        };
        long ago = (long) (random.nextDouble() * random.nextDouble() * 100 * HOUR_MS);
        long target = random.nextInt(4) == 0 ? special[random.nextInt(special.length)] : time.milliseconds() - ago;
        return target + " "
                + operations
                        .log()
                        .fetchOffsetByTimestamp(target, Optional.empty())
                        .timestampAndOffsetOpt();
    }

    String endOfEpoch() {
        int epoch = Math.max(0, operations.leaderEpoch() - random.nextInt(6));
        return epoch + " " + operations.log().endOffsetForEpoch(epoch) + " of "
                + operations.log().latestEpoch();
    }

    String abortedTransactions() {
        long from = operations.anyOffset();
        long to = from + random.nextInt(200);
        return from + ".." + to + " " + operations.log().collectAbortedTransactions(from, to);
    }
}
