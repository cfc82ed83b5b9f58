/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import io.evenkeel.core.kafka.PatchConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;

/** The broker's config: our keys as each patch reads them at a start, and those of Kafka's that matter. Stateless. */
final class ConfigFindings {
    private static final String SUBJECT = "config";

    private ConfigFindings() {}

    static List<Finding> of(Map<String, ?> values) {
        List<Finding> findings = new ArrayList<>();
        for (PatchConfig patch : ServiceLoader.load(PatchConfig.class)) {
            findings.add(of(patch, values));
        }
        Object roles = values.get("process.roles");
        if (roles != null && !roles.toString().contains("broker")) {
            findings.add(Finding.warning(
                    SUBJECT,
                    "process.roles=" + roles + ": a controller has no segments, so it needs neither the tier nor"
                            + " flushing by rate"));
        }
        if (values.get("log.dirs") == null && values.get("log.dir") == null) {
            findings.add(Finding.warning(
                    SUBJECT,
                    "log.dirs is not set, so Kafka uses /tmp/kafka-logs; set it to the directories on the HDDs"));
        }
        return findings;
    }

    private static Finding of(PatchConfig patch, Map<String, ?> values) {
        try {
            return Finding.ok(SUBJECT, patch.announcement(values));
        } catch (ConfigException | NumberFormatException e) {
            return Finding.wrong(SUBJECT, String.valueOf(e.getMessage()));
        }
    }
}
