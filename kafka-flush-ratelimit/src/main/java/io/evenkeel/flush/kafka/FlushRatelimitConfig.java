/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.FlushRates.DEVICE_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushRates.SEGMENT_BYTES_PER_SECOND;
import static io.evenkeel.flush.FlushSettings.ENABLE;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_BYTES;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_MS;
import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The keys of flushing by rate in {@code server.properties}, in Kafka's own terms. Stateless. */
public final class FlushRatelimitConfig {
    /** All our keys begin with it; what else begins with it is a typo. */
    public static final String PREFIX = "flush.ratelimit.";

    /** Kafka's own key, which this takes the place of. */
    static final String INTERVAL_MESSAGES = "log.flush.interval.messages";

    private static final String ENABLE_DOC =
            "Whether data is forced to disk by rate rather than by the number of messages. "
                    + "Unset, it is where server.properties has log.flush.interval.messages above 1, and not elsewhere: a broker "
                    + "that leaves it to the kernel when to write goes on to do so. Where it is on, log.flush.interval.messages and "
                    + "flush.messages above 1 force nothing any more; 1 keeps its meaning, for the broker and for a topic.";
    private static final String BYTES_DOC =
            "How many bytes of one partition may be acknowledged here and not yet forced to "
                    + "disk. A log is due at half of it; when all of it is used up, who appends waits. Larger: fewer and larger "
                    + "forces, and more to lose in a power cut where all replicas have one. One batch that is larger by itself is "
                    + "let into a log without such bytes.";
    private static final String MS_DOC =
            "How much time may lie between the first and the last append to one partition, as the broker let them in, that "
                    + "are not yet forced to disk. A log is due at half of it; when all of it is used up, who appends waits. "
                    + "Larger: bursts are spread further, and more is lost in a power cut.";
    private static final String SEGMENT_DOC = "How fast one partition is forced at the most, as long as no bound is at "
            + "stake: after a force it rests for as long as the bytes would have taken. Larger: a busy partition may be forced "
            + "more often. A partition that takes in more than this for long is forced when it is due all the same.";
    private static final String DEVICE_DOC = "How fast all partitions on one disk together are forced at the most; "
            + "-1 is no ceiling. With the SSD tier, an SSD and an HDD have it each, and what is copied to an HDD counts, too. "
            + "It wins over the bounds' due times: what comes in above it makes producers wait. Below the mean of what "
            + "comes in it is a limit for producers.";

    private static final Set<String> DYNAMIC = Set.of(SEGMENT_BYTES_PER_SECOND, DEVICE_BYTES_PER_SECOND);
    private static final PatchKeys KEYS = new PatchKeys(PREFIX, definition(), DYNAMIC);

    /**
     * Whether flushing by rate is on in a broker.
     *
     * @param why as the end of a sentence that begins with whether it is
     */
    record Choice(boolean isOn, String why) {}

    private FlushRatelimitConfig() {}

    /** All of them, among the others of a broker. */
    public static PatchKeys keys() {
        return KEYS;
    }

    private static ConfigDef definition() {
        return new ConfigDef()
                .define(ENABLE, ConfigDef.Type.BOOLEAN, null, HIGH, ENABLE_DOC)
                .define(MAX_UNFLUSHED_BYTES, ConfigDef.Type.LONG, 64L << 20, HIGH, BYTES_DOC)
                .define(MAX_UNFLUSHED_MS, ConfigDef.Type.LONG, 30_000L, HIGH, MS_DOC)
                .define(SEGMENT_BYTES_PER_SECOND, ConfigDef.Type.LONG, 2L << 20, MEDIUM, SEGMENT_DOC)
                .define(DEVICE_BYTES_PER_SECOND, ConfigDef.Type.LONG, FlushRates.UNLIMITED, LOW, DEVICE_DOC);
    }

    /**
     * Reads our keys out of a broker's.
     *
     * @throws ConfigException when a key is unknown or a value impossible
     */
    static FlushSettings settings(Map<String, ?> brokerConfig) {
        AbstractConfig values = values(brokerConfig);
        try {
            return new FlushSettings(
                    values.getLong(MAX_UNFLUSHED_BYTES),
                    values.getLong(MAX_UNFLUSHED_MS),
                    new FlushRates(values.getLong(SEGMENT_BYTES_PER_SECOND), values.getLong(DEVICE_BYTES_PER_SECOND)));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    /**
     * Whether it is on.
     *
     * @throws ConfigException when other keys of ours are set where nothing says so
     */
    static Choice choice(Map<String, ?> brokerConfig) {
        Boolean enable = values(brokerConfig).getBoolean(ENABLE);
        if (enable != null) {
            return new Choice(enable, ENABLE + "=" + enable + " is set");
        }
        Object messages = brokerConfig.get(INTERVAL_MESSAGES);
        if (messages == null) {
            Set<String> others = KEYS.of(brokerConfig).keySet();
            if (!others.isEmpty()) {
                throw new ConfigException("Keys of flushing by rate are set (" + others + ") but neither " + ENABLE
                        + " nor " + INTERVAL_MESSAGES + " is, so it would be off; set " + ENABLE
                        + "=true, or remove the others.");
            }
            return new Choice(false, INTERVAL_MESSAGES + " is not set, so there is nothing to take the place of");
        }
        boolean counts = Long.parseLong(messages.toString().trim()) > 1;
        return new Choice(counts, INTERVAL_MESSAGES + "=" + messages + " is set");
    }

    /** The same rates by key, as an operator writes them. */
    static Map<String, String> values(FlushRates rates) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SEGMENT_BYTES_PER_SECOND, String.valueOf(rates.segmentBytesPerSecond()));
        values.put(DEVICE_BYTES_PER_SECOND, String.valueOf(rates.deviceBytesPerSecond()));
        return values;
    }

    private static AbstractConfig values(Map<String, ?> brokerConfig) {
        return new AbstractConfig(KEYS.definition(), KEYS.of(brokerConfig), false);
    }
}
