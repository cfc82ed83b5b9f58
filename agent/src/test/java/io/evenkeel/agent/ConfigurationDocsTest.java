/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.core.ConfigKey;
import io.evenkeel.core.kafka.PatchKeys;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.kafka.FlushRatelimitConfig;
import io.evenkeel.purgatory.kafka.PurgatoryWheelConfig;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import io.evenkeel.tiered.kafka.TopicPlacement;
import java.io.IOException;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} is written from the definitions; {@code -Dupdate.docs} rewrites it. */
class ConfigurationDocsTest {
    @Test
    void pageIsWhatTheDefinitionsSay() throws IOException {
        GeneratedPage.check("configuration.md", page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Generated from the definitions in the code; do not edit. All keys go into the broker's
                `server.properties`, or into the file that the agent argument `config=<file>` names, which wins. The
                broker checks them together when it starts. An unknown key, or a value that is impossible alone or with
                another, stops the broker with a message that names the key.

                Keys that are marked so can be changed while the broker runs, for one broker or for all:

                ```
                bin/kafka-configs.sh --bootstrap-server localhost:9092 --entity-type brokers --entity-name 1 \\
                    --alter --add-config tiered.ssd.mode=paused
                bin/kafka-configs.sh --bootstrap-server localhost:9092 --entity-type brokers --entity-default \\
                    --alter --add-config tiered.ssd.mode=paused
                ```

                The command refuses a wrong value. A value that is set this way wins over the files, and a value for one
                broker wins over the one for all brokers. It takes effect at once, is kept in the cluster's metadata
                over restarts, and ends with `--delete-config`. The broker that receives the command checks a key for
                all brokers. A broker on which the value is impossible together with its own settings keeps its settings
                and logs an error.
                """);
        section(page, "SSD tier", TieredSsdConfig.keys());
        section(page, "Flushing by rate", FlushRatelimitConfig.keys());
        page.append("""

                ## Purgatory wheel

                The agent reads these keys before Kafka does, so a value cannot come from a config provider.
                """);
        for (PurgatoryWheelConfig.Key key : PurgatoryWheelConfig.keys()) {
            page.append("\n### `").append(key.name()).append("`\n\n");
            page.append(GeneratedPage.wrapped(key.doc())).append("\n\n");
            page.append("- type: ").append(key.type()).append("\n");
            page.append("- default: ").append(key.defaultValue()).append("\n");
            page.append("- changed: with a restart\n");
        }
        page.append("""

                ## Topics

                Set this key like Kafka's own topic configs, with `kafka-topics.sh --create --config` or
                `kafka-configs.sh --entity-type topics`. Every controller must run with the agent: controllers without
                it refuse the key as unknown. Brokers without it ignore the key. `kafka-topics.sh` itself knows the key
                when the agent is in its `KAFKA_OPTS`.
                """);
        ConfigDef topics = new ConfigDef();
        TopicPlacement.define(topics);
        for (ConfigDef.ConfigKey key : topics.configKeys().values()) {
            page.append("\n### `").append(key.name).append("`, of a topic\n\n");
            page.append(GeneratedPage.wrapped(key.documentation))
                    .append("\n\n- type: string\n- default: the broker's\n");
        }
        return page.toString();
    }

    private static void section(StringBuilder page, String title, PatchKeys keys) {
        page.append("\n## ").append(title).append('\n');
        for (ConfigKey<?> key : keys.all()) {
            page.append("\n### `").append(key).append("`\n\n");
            page.append(GeneratedPage.wrapped(key.doc())).append("\n\n");
            page.append("- type: ")
                    .append(key.type().name().toLowerCase(Locale.ROOT))
                    .append("\n");
            page.append("- default: ").append(defaultOf(key)).append("\n");
            page.append("- changed: ")
                    .append(key.isDynamic() ? "while the broker runs" : "with a restart")
                    .append("\n");
        }
    }

    private static String defaultOf(ConfigKey<?> key) {
        if (key == FlushSettings.ENABLE) {
            return "on where log.flush.interval.messages is 1,000 or more and not 9223372036854775807, off elsewhere";
        } else if (key == TierSettings.DIRS || key == TierSettings.CAPACITY_BYTES) {
            return "none; must be set";
        }
        String value = String.valueOf(key.defaultValue());
        return value.equals("[]") ? "none" : value;
    }
}
