/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.sample.kafka.SampleHooks;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HookPointTest {
    private static final String FILE_RECORDS = "org.apache.kafka.common.record.internal.FileRecords";
    private static final String CONFIG = "org.apache.kafka.common.config.AbstractConfig";
    private static final String RECONFIGURABLE = "org.apache.kafka.common.Reconfigurable";

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void everyHookPointAndReferenceIsInEverySupportedVersion(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            assertThat(new ClassFiles(jars).kafkaVersion()).isEqualTo(version);
            assertThat(check(jars, TieredSsdPatch.patch()))
                    .hasSize(26)
                    .allSatisfy(site -> assertThat(site.target().owner())
                            .isIn(
                                    FILE_RECORDS,
                                    FILE_RECORDS.replace(".internal", ""),
                                    "org.apache.kafka.storage.internals.log.LogConfig$LogConfigDef",
                                    "org.apache.kafka.storage.internals.log.LocalLog",
                                    "org.apache.kafka.storage.internals.log.LogFileUtils",
                                    "org.apache.kafka.storage.internals.log.LogSegment",
                                    "org.apache.kafka.common.network.PlaintextTransportLayer",
                                    "org.apache.kafka.common.network.Selector",
                                    "org.apache.kafka.common.network.SslTransportLayer",
                                    "kafka.cluster.Partition",
                                    "kafka.server.KafkaApis",
                                    "kafka.server.ConfigHelper",
                                    "kafka.server.DynamicBrokerConfig",
                                    "kafka.server.KafkaConfig$",
                                    "kafka.server.SharedServer",
                                    "kafka.server.metadata.BrokerMetadataPublisher",
                                    version.matches("4\\.[0-3]\\..*")
                                            ? "kafka.log.LogManager"
                                            : "org.apache.kafka.storage.internals.log.LogManager",
                                    "kafka.log.LogManager$"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void flushingByRateFitsEverySupportedVersion(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            assertThat(check(jars, FlushRatelimitPatch.patch()))
                    .hasSize(19)
                    .allSatisfy(site -> assertThat(site.target().owner())
                            .isIn(
                                    "org.apache.kafka.storage.internals.log.AbstractIndex",
                                    "org.apache.kafka.storage.internals.log.LocalLog",
                                    "org.apache.kafka.storage.internals.log.LogSegment",
                                    version.startsWith("4.0.")
                                            ? "kafka.log.UnifiedLog"
                                            : "org.apache.kafka.storage.internals.log.UnifiedLog",
                                    "kafka.cluster.Partition",
                                    "kafka.server.ReplicaManager",
                                    "kafka.server.ConfigHelper",
                                    "kafka.server.DynamicBrokerConfig",
                                    "kafka.server.KafkaConfig$",
                                    "kafka.server.metadata.BrokerMetadataPublisher",
                                    "kafka.log.LogManager$"));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theCommandLineToolFitsEverySupportedVersion(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            assertThat(References.missing(new ClassFiles(jars), List.of("io.evenkeel.tiered.tool.TieredSsdTool")))
                    .isEmpty();
        }
    }

    @Test
    void theCommandLineToolIsReadToItsEnd() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with("org.apache.kafka.clients.admin.AlterConfigOp", new byte[0])) {
            assertThat(References.missing(new ClassFiles(jars), List.of("io.evenkeel.tiered.tool.TieredSsdTool")))
                    .contains(new References.Missing(
                            "io.evenkeel.tiered.tool.TierSwitch",
                            "class org.apache.kafka.clients.admin.AlterConfigOp"));
        }
    }

    @Test
    void refusesARenamedMethodAndSaysWhatToDo() throws IOException {
        assertThat(refusal(FILE_RECORDS, renamed("openChannel", "openFileChannel"))
                        .report())
                .isEqualTo("""
                        the broker was stopped before it opened a log, because a patch does not fit it exactly.
                          patch:    tiered-ssd
                          hook:     FileRecords.openChannel
                          Kafka:    4.3.1
                          expected: org.apache.kafka.common.record.internal.FileRecords: \
                        static java.nio.channels.FileChannel \
                        openChannel(java.io.File, boolean, boolean, int, boolean); or \
                        org.apache.kafka.common.record.FileRecords: \
                        static java.nio.channels.FileChannel \
                        openChannel(java.io.File, boolean, boolean, int, boolean)
                          found:    org.apache.kafka.common.record.internal.FileRecords: no method openChannel; \
                        no class org.apache.kafka.common.record.FileRecords
                          to do:    use a release of evenkeel that supports this Kafka, \
                        take the agent out of KAFKA_OPTS,
                                    or leave out a patch that does not fit: agent argument
                                    on.mismatch=skip.""");
    }

    @Test
    void refusesAChangedDescriptor() throws IOException {
        assertThat(refusal(FILE_RECORDS, retyped("deleteIfExists", "(Z)Z")))
                .hasMessageStartingWith("tiered-ssd, FileRecords.deleteIfExists, Kafka 4.3.1: expected ")
                .hasMessageContaining("FileRecords: boolean deleteIfExists(boolean); no class ");
    }

    @Test
    void refusesAMethodThatIsNoLongerStatic() throws IOException {
        assertThat(refusal(
                        FILE_RECORDS,
                        member -> member.name().equals("openChannel")
                                ? new KafkaJars.Member(2, member.name(), member.descriptor())
                                : member))
                .hasMessageContaining("found " + FILE_RECORDS + ": java.nio.channels.FileChannel openChannel(java.io");
    }

    @Test
    void refusesAMissingField() throws IOException {
        assertThat(refusal(FILE_RECORDS, renamed("channel", "fileChannel")))
                .hasMessage("tiered-ssd, FileRecords.renameTo, Kafka 4.3.1: expected " + FILE_RECORDS
                        + ": field java.nio.channels.FileChannel channel, found no such field");
    }

    @Test
    void refusesAFieldOfAnotherType() throws IOException {
        assertThat(refusal(FILE_RECORDS, retyped("file", "Ljava/nio/file/Path;")))
                .hasMessageEndingWith("field java.io.File file, found java.nio.file.Path file");
    }

    @Test
    void refusesAVersionWithoutTheOwner() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with(FILE_RECORDS, new byte[0])) {
            assertThat(refusal(jars))
                    .hasMessageEndingWith(
                            "found no class " + FILE_RECORDS + "; no class org.apache.kafka.common.record.FileRecords");
        }
    }

    @Test
    void refusesTwoVersionsOnOneClassPath() throws IOException {
        String before43 = FILE_RECORDS.replace(".internal", "");
        try (KafkaJars old = KafkaJars.of("4.2.1");
                KafkaJars both = KafkaJars.of("4.3.1").with(before43, old.bytes(before43))) {
            assertThat(refusal(both))
                    .hasMessageContaining("FileRecords.openChannel")
                    .hasMessageContaining("expected only one of: ")
                    .hasMessageContaining("); " + before43);
        }
    }

    @Test
    void findsNothingMissingInADoorThatFits() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1")) {
            assertThat(missing(jars)).isEmpty();
        }
    }

    @Test
    void findsAMissingClass() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with("org.apache.kafka.common.config.ConfigDef", new byte[0])) {
            assertThat(missing(jars))
                    .contains(new References.Missing(
                            SampleHooks.class.getName() + "$Config", "class org.apache.kafka.common.config.ConfigDef"));
        }
    }

    @Test
    void findsAMissingMethodAlsoWhenItWasInherited() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with(CONFIG, renamed("unused", "notUsed"))) {
            assertThat(missing(jars))
                    .containsExactly(new References.Missing(
                            SampleHooks.class.getName() + "$Config",
                            SampleHooks.class.getName() + "$Config.unused ()Ljava/util/Set;"));
        }
    }

    @Test
    void findsAMethodThatOurClassWouldHaveToImplement() throws IOException {
        try (KafkaJars jars =
                KafkaJars.of("4.3.1").with(RECONFIGURABLE, renamed("reconfigure", "reconfigureCarefully"))) {
            assertThat(missing(jars))
                    .singleElement()
                    .satisfies(missing -> assertThat(missing.what())
                            .contains(
                                    "an implementation of", "Reconfigurable.reconfigureCarefully (Ljava/util/Map;)V"));
        }
    }

    private static UnaryOperator<KafkaJars.Member> renamed(String from, String to) {
        return member ->
                member.name().equals(from) ? new KafkaJars.Member(member.access(), to, member.descriptor()) : member;
    }

    private static UnaryOperator<KafkaJars.Member> retyped(String name, String descriptor) {
        return member -> member.name().equals(name) && member.descriptor().startsWith("(") == descriptor.startsWith("(")
                ? new KafkaJars.Member(member.access(), name, descriptor)
                : member;
    }

    private static PatchException refusal(String className, UnaryOperator<KafkaJars.Member> change) throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with(className, change)) {
            return refusal(jars);
        }
    }

    private static PatchException refusal(KafkaJars jars) {
        return catchThrowableOfType(PatchException.class, () -> check(jars));
    }

    private static List<Weaver.Site> check(KafkaJars jars) throws IOException {
        return check(jars, TieredSsdPatch.patch());
    }

    private static List<Weaver.Site> check(KafkaJars jars, Patch patch) throws IOException {
        try (Weaver weaver = new FakeInstrumentation().weaver(jars, patch)) {
            return weaver.check(patch).sites();
        }
    }

    private static List<References.Missing> missing(KafkaJars jars) throws IOException {
        return References.missing(new ClassFiles(jars), List.of(SampleHooks.class.getName()));
    }
}
