/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.OpenRequest;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterable;

/**
 * The door for Kafka's own tests. Thread safe.
 *
 * <p>The shipped door serves one broker. These tests run several brokers in one JVM, or none, and open logs anywhere.
 * So here every log directory gets a tier of its own when its first segment is opened, see {@link EagerTiers}. The tier
 * treats every partition as led by the broker. Without {@code tiered.ssd.*} keys the door does nothing.
 */
public final class TieredSsdHooks {
    /** The shipped door leaves those to stock; here they are segments like others. */
    private static final OpenRequest NOT_OPENED_BY_A_LOG = new OpenRequest(1 << 20, 0, null);

    /** In the path of all that Kafka's stand-in for a remote storage keeps; none of it is in a log directory. */
    private static final String REMOTE_STORAGE = "kafka-tiered-storage";

    private static volatile @Nullable EagerTiers tiers;

    private TieredSsdHooks() {}

    /** Called before anything else, with the agent's {@code config=<file>}. */
    public static void overrides(Map<String, String> keys) {
        EagerTiers made = new EagerTiers(keys);
        tiers = made;
        made.start();
    }

    /** For a test that begins: whether anything is to be copied during it. */
    public static void copies(boolean on) {
        tiers().copies(on);
        tiers().goOn();
    }

    /**
     * For a test that has ended: when this returns nothing is being copied or evicted, and nothing will be until the
     * next one begins.
     */
    public static void standStill() {
        tiers().standStill();
    }

    /** Before a directory is removed with all that is in it: as {@link #standStill}, until {@link #removalEnds}. */
    public static void removalBegins() {
        tiers().removalBegins();
    }

    public static void removalEnds() {
        tiers().removalEnds();
    }

    /** Counts of the tier's actions in all log directories, for the report. */
    public static Map<String, Long> done() {
        return tiers().done();
    }

    private static @Nullable EagerTier of(FileChannel channel) {
        EagerTiers made = tiers;
        return made == null ? null : made.of(channel);
    }

    private static EagerTiers tiers() {
        EagerTiers made = tiers;
        if (made == null) {
            throw new IllegalStateException("the agent has no config=<file> with tiered.ssd.* keys");
        }
        return made;
    }

    public static void topicConfigs(ConfigDef definition) {
        TopicPlacement.define(definition);
    }

    public static void scanEarly(AbstractConfig config) {}

    static void start(Map<String, ?> config, LogDirFailureChannel failures) throws IOException {
        EagerTiers made = tiers;
        if (made != null) {
            made.brokerStarts(config, failures);
        }
    }

    public static void shutdown() {
        // it is not known which broker of this JVM shuts down
    }

    public static void role(TopicPartition partition, boolean leader, Iterable<?> replicas, Iterable<?> inSync) {
        // not needed: all partitions are treated as led
    }

    public static void follows(TopicPartition partition, int brokerId, Object registration) {
        // not needed: all partitions are treated as led
    }

    public static void left(TopicPartition partition) {
        // not needed: all partitions are treated as led
    }

    /** Copies and evicts everything possible before each append. */
    public static boolean shouldRoll(LogSegment active, RollParams append, boolean stockRolls) {
        FileChannel channel = RollAccess.channel(active);
        EagerTier tier = of(channel);
        if (tier == null) {
            return stockRolls;
        }
        tier.work();
        return stockRolls || tier.tier().shouldRoll(channel, RollAccess.appendBytes(append));
    }

    public static void appending(LocalLog log, Object records) throws IOException {
        LogSegment active = log.segments().activeSegment();
        if (of(RollAccess.channel(active)) != null) {
            IndexRoom.reserve(active, RollAccess.sizeInBytes(records), log.config().indexInterval);
        }
    }

    public static @Nullable Throwable appended(LocalLog log, @Nullable Throwable thrown) {
        return thrown;
    }

    public static @Nullable Throwable sealed(LogSegment segment, @Nullable Throwable thrown) throws IOException {
        if (thrown == null) {
            IndexRoom.forget(segment);
        }
        return thrown;
    }

    public static @Nullable String fileNamePrefix(long baseOffset) {
        return FileNamePrefix.of(baseOffset);
    }

    public static void opening(AbstractConfig config) {
        OpenContext.begin(config);
    }

    public static void opened() {
        OpenContext.end();
    }

    public static @Nullable FileChannel open(
            File file, boolean mutable, boolean fileAlreadyExists, int initFileSize, boolean preallocate)
            throws IOException {
        Path path = absolute(file);
        EagerTiers made = tiers;
        if (made == null || !mutable || path.toString().contains(REMOTE_STORAGE)) {
            return null;
        }
        OpenRequest request = Objects.requireNonNullElse(OpenContext.request(), NOT_OPENED_BY_A_LOG);
        return made.open(path, request.preallocating(preallocate && !fileAlreadyExists ? initFileSize : 0));
    }

    public static void renaming(FileChannel channel) {
        EagerTier tier = of(channel);
        if (tier != null) {
            tier.tier().renaming(channel);
        }
    }

    public static void renamed(FileChannel channel, File file) {
        EagerTier tier = of(channel);
        if (tier != null && LeftOut.HERE != LeftOut.RENAMES) {
            tier.tier().renamed(channel, absolute(file));
        }
    }

    public static void moved(FileChannel channel, File file) {
        renamed(channel, file);
    }

    public static void deleted(FileChannel channel) throws IOException {
        EagerTier tier = of(channel);
        if (tier != null) {
            tier.tier().deleted(channel);
        }
    }

    private static Path absolute(File file) {
        return file.toPath().toAbsolutePath().normalize();
    }
}
