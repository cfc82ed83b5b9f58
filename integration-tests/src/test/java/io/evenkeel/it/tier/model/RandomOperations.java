/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordVersion;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.CleanerStats;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

/** Random operations on a log. Each returns everything that a caller learns. Not thread safe. */
final class RandomOperations {
    private static final int READ_BYTES = 100_000;
    private static final int HOUR_MS = 3_600_000;

    private final LogUnderTest partition;
    private final Random random;
    private final RandomBatches batches;
    private final Map<String, List<Object>> configurable;
    private final List<Choice> choices = new ArrayList<>();
    private final Damage damage;
    private int leaderEpoch;

    /** An operation that describes itself and its outcome. */
    @FunctionalInterface
    interface Operation {
        String run() throws Exception;
    }

    private record Choice(int weight, String name, Operation operation) {}

    /** @param configurable the values that a topic's config may be set to */
    RandomOperations(
            LogUnderTest partition, Random random, RandomBatches batches, Map<String, List<Object>> configurable) {
        this.partition = partition;
        this.random = random;
        this.batches = batches;
        this.configurable = configurable;
        this.damage = new Damage(random);
        this.leaderEpoch = log().latestEpoch().orElse(0);
        RandomReads reads = new RandomReads(this, partition.time, random);
        choice(300, "append", this::append);
        choice(20, "append marker", this::appendMarker);
        choice(20, "append old format", this::appendOldFormat);
        choice(80, "append as follower", this::appendAsFollower);
        choice(200, "read", reads::read);
        choice(60, "read what was found before", reads::readHeld);
        choice(120, "high watermark", this::moveHighWatermark);
        choice(30, "roll", () -> "at " + log().roll().baseOffset());
        choice(30, "flush", this::flush);
        choice(25, "truncate", this::truncate);
        choice(2, "truncate fully", this::truncateFully);
        choice(20, "delete records", this::deleteRecords);
        choice(40, "retention", () -> log().deleteOldSegments() + " segments deleted");
        choice(20, "compact", this::compact);
        choice(40, "offset by time", reads::offsetByTime);
        choice(30, "end of epoch", reads::endOfEpoch);
        choice(20, "new epoch", this::newEpoch);
        choice(30, "aborted transactions", reads::abortedTransactions);
        choice(60, "time passes", this::timePasses);
        choice(10, "reload", this::reload);
        choice(10, "crash", this::crash);
        choice(20, "configure", this::configure);
        choice(3, "recreate", this::recreate);
        choice(4, "move to the other log directory", this::move);
    }

    private void choice(int weight, String name, Operation operation) {
        choices.add(new Choice(weight, name, operation));
    }

    /** Runs one operation; returns its name, its arguments and its outcome, which may be an exception. */
    String next() {
        int dice = random.nextInt(choices.stream().mapToInt(Choice::weight).sum());
        for (Choice choice : choices) {
            dice -= choice.weight();
            if (dice < 0) {
                return choice.name() + ": " + answer(choice.operation());
            }
        }
        throw new AssertionError("unreachable");
    }

    static String answer(Operation operation) {
        try {
            return operation.run();
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            return e.toString() + (e.getCause() == null ? "" : " because of " + e.getCause());
        }
    }

    UnifiedLog log() {
        return partition.log();
    }

    /** From a little before the log's start to a little after its end. */
    long anyOffset() {
        long first = Math.max(0, log().logStartOffset() - 2);
        return first + (long) (random.nextDouble() * (log().logEndOffset() + 3 - first));
    }

    /** Rather close to the end of the log. */
    private long recentOffset() {
        long end = log().logEndOffset();
        long back = (long) ((end - log().logStartOffset()) * random.nextDouble() * random.nextDouble());
        return Math.max(0, end - back);
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    private String unique() {
        return "%016x%016x".formatted(random.nextLong(), random.nextLong());
    }

    // ---- writing ----

    private String append() throws IOException {
        MemoryRecords records = batches.forLeader(log().activeProducersWithLastSequence());
        return log().appendAsLeader(records, leaderEpoch).toString();
    }

    private String appendMarker() throws IOException {
        return log().appendAsLeader(batches.marker(), leaderEpoch, AppendOrigin.COORDINATOR)
                .toString();
    }

    private String appendOldFormat() {
        RecordVersion version = random.nextBoolean() ? RecordVersion.V0 : RecordVersion.V1;
        return version + " "
                + log().appendAsLeaderWithRecordVersion(batches.ofOldFormat(version.value), leaderEpoch, version);
    }

    private String appendAsFollower() {
        long offset = log().logEndOffset();
        int dice = random.nextInt(100);
        if (dice < 5) {
            offset = Math.max(0, offset - 1 - random.nextInt(3));
        } else if (dice < 15) {
            offset += random.nextInt(10);
        }
        return log().appendAsFollower(batches.forFollower(offset, leaderEpoch), leaderEpoch)
                .toString();
    }

    private String newEpoch() {
        leaderEpoch += 1 + random.nextInt(2);
        log().assignEpochStartOffset(leaderEpoch, log().logEndOffset());
        return leaderEpoch + " from " + log().logEndOffset();
    }

    // ---- operations of a replica ----

    private String moveHighWatermark() throws IOException {
        long to = random.nextInt(4) == 0 ? recentOffset() : log().logEndOffset();
        return to + " " + log().updateHighWatermark(to);
    }

    private String flush() {
        boolean force = random.nextBoolean();
        if (random.nextBoolean()) {
            log().flush(force);
        } else {
            log().flushUptoOffsetExclusive(recentOffset());
        }
        return force + " " + log().recoveryPoint();
    }

    private String truncate() {
        long to = recentOffset();
        partition.firstDirtyOffset = Math.min(partition.firstDirtyOffset, to);
        return to + " " + log().truncateTo(to);
    }

    private String truncateFully() {
        long to = log().logEndOffset() + random.nextInt(1000);
        partition.firstDirtyOffset = 0;
        log().truncateFullyAndStartAt(to, Optional.empty());
        return "to " + to;
    }

    private String deleteRecords() {
        long to = anyOffset();
        return to + " "
                + log().maybeIncrementLogStartOffset(
                                Math.min(to, log().logStartOffset() + 60),
                                LogStartOffsetIncrementReason.ClientRecordDeletion);
    }

    private String compact() throws Exception {
        long upTo = log().lastStableOffset();
        long end = Math.min(upTo, log().activeSegment().baseOffset());
        long first = Math.max(partition.firstDirtyOffset, log().logStartOffset());
        if (first >= end) {
            return "nothing";
        }
        Throttler unlimited = new Throttler(Double.MAX_VALUE, Long.MAX_VALUE, "model", "bytes", partition.time);
        Cleaner cleaner = new Cleaner(
                0, new SkimpyOffsetMap(1 << 16), 1 << 16, 1 << 22, 0.9, unlimited, partition.time, name -> {});
        Map.Entry<Long, CleanerStats> done = cleaner.clean(new LogToClean(log(), first, end, false));
        partition.firstDirtyOffset = done.getKey();
        CleanerStats stats = done.getValue();
        return "%d..%d to %d: read %d/%d wrote %d/%d"
                .formatted(
                        first,
                        end,
                        done.getKey(),
                        stats.messagesRead(),
                        stats.bytesRead(),
                        stats.messagesWritten(),
                        stats.bytesWritten());
    }

    private String timePasses() {
        int dice = random.nextInt(100);
        partition.time.sleep(random.nextInt(dice < 50 ? 1000 : dice < 80 ? 70_000 : 3 * HOUR_MS));
        return String.valueOf(partition.time.milliseconds());
    }

    // ---- operations of a broker ----

    private String reload() throws IOException {
        partition.reload();
        return "ok";
    }

    private String crash() throws IOException {
        int dice = random.nextInt(Damage.KINDS);
        partition.crash(dir -> damage.to(dir, dice));
        return "damage " + dice;
    }

    private String configure() {
        String key = configurable.keySet().stream()
                .skip(random.nextInt(configurable.size()))
                .findFirst()
                .orElseThrow();
        List<Object> possible = configurable.get(key);
        Object value = Objects.requireNonNull(possible).get(random.nextInt(possible.size()));
        partition.configure(key, value);
        return key + "=" + value;
    }

    private String recreate() throws IOException {
        Path logDir =
                random.nextBoolean() ? partition.otherLogDir() : partition.dir().resolveSibling("");
        partition.recreate(unique(), logDir);
        leaderEpoch = 0;
        return "in " + logDir.getFileName();
    }

    /** Copies batch by batch into a log in the other directory, and puts it in this one's place. */
    private String move() throws IOException {
        UnifiedLog future = partition.future(unique());
        long from = log().logStartOffset();
        future.truncateFullyAndStartAt(from, Optional.of(from));
        while (future.logEndOffset() < log().logEndOffset()) {
            FetchDataInfo info = log().read(future.logEndOffset(), READ_BYTES, FetchIsolation.LOG_END, true);
            ByteBuffer copy = ByteBuffer.allocate(info.records.sizeInBytes());
            ((FileRecords) info.records).readInto(copy, 0);
            future.appendAsFollower(MemoryRecords.readableRecords(copy), leaderEpoch);
        }
        partition.replaceBy(future, unique());
        return "from " + from + " to " + future.logEndOffset() + " in "
                + log().parentDirFile().getName();
    }
}
