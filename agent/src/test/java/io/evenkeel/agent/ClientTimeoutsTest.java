/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClientTimeoutsTest {
    /**
     * Stock adds the longest timeout to the time, which exceeds a long: the request expires at once. So it does in
     * ours.
     */
    private static final String ALL =
            "expired: [25000, 25000, 0, 25000], wait: 25000, then: 0, completed once each: true, watched: 0";

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void timeoutsMeanTheSameInOurs(String version) throws Exception {
        try (ReplacedKafka kafka = new ReplacedKafka(KafkaJars.of(version))) {
            kafka.weave(PurgatoryWheelPatch.patch());
            assertThat(kafka.run(ClientTimeouts.class)).isEqualTo(ALL);
        }
    }

    /** Which may still count completed requests as watched. */
    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void timeoutsInStock(String version) throws Exception {
        try (ReplacedKafka kafka = new ReplacedKafka(KafkaJars.of(version))) {
            assertThat(kafka.run(ClientTimeouts.class).toString().replace("watched: 1", "watched: 0"))
                    .isEqualTo(ALL);
        }
    }
}
