/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Leaders;
import io.evenkeel.testkit.Readiness;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A stock broker and a tiered one that get the same commands, for all tests of a class: whatever they are asked, they
 * have to answer the same. Both end with the class, and their directories go.
 */
final class Twins implements BeforeAllCallback, AfterAllCallback, TestWatcher {
    static final Duration DEADLINE = Duration.ofSeconds(60);
    static final int SEGMENT_BYTES = EagerTier.SEGMENT_BYTES;

    /** So many batches of {@link SameBatches} make 14 segments, more than stay on the SSD. */
    static final int BATCHES = 140;

    private final UnaryOperator<BrokerConfig> changes;
    private @Nullable Path dir;
    private @Nullable Broker stock;
    private @Nullable Broker tiered;

    /** @param changes to the configuration of both */
    Twins(UnaryOperator<BrokerConfig> changes) {
        this.changes = changes;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        dir = Files.createTempDirectory("twins");
        BrokerConfig ofStock = changes.apply(EagerTier.on(BrokerConfig.under(dir.resolve("stock"), 2, 0)));
        BrokerConfig ofTiered = changes.apply(EagerTier.on(BrokerConfig.under(dir.resolve("tiered"), 2, 1)));
        stock = new ForkedBroker(KafkaRuntime.find(), ofStock);
        tiered = new ForkedBroker(KafkaRuntime.find(), ofTiered.patched());
        both(Broker::start);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Stream.of(stock, tiered).filter(broker -> broker != null).forEach(Broker::close);
        if (dir != null) {
            Utils.delete(dir.toFile());
        }
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        Stream.of(stock, tiered).filter(broker -> broker != null).forEach(broker -> Readiness.print(broker.logFile()));
    }

    Broker stock() {
        return present(stock);
    }

    Broker tiered() {
        return present(tiered);
    }

    private static Broker present(@Nullable Broker broker) {
        if (broker == null) {
            throw new IllegalStateException("not started");
        }
        return broker;
    }

    void both(Consumer<Broker> command) {
        command.accept(stock());
        command.accept(tiered());
    }

    /** Asks both, demands the same answer, and gives it. */
    <T> T same(Function<Broker, T> question) {
        T answer = question.apply(stock());
        assertThat(question.apply(tiered()))
                .as("what the tiered broker answers, compared with stock")
                .isEqualTo(answer);
        return answer;
    }

    /** Waits for stock to give an answer that is right, and for the tiered broker to give the same; answers it. */
    <T> T awaitSame(Function<Broker, T> question, Predicate<T> right) {
        T answer = await().atMost(DEADLINE).until(() -> question.apply(stock()), right);
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(question.apply(tiered()))
                        .as("what the tiered broker answers, compared with stock")
                        .isEqualTo(answer));
        return answer;
    }

    /** Creates a topic of one partition. */
    void create(String topic, Map<String, String> configs) {
        both(broker -> {
            new Topics(broker).create(topic, Map.of(0, List.of(1)), configs);
            Leaders.await(broker.clientProperties(), List.of(new TopicPartition(topic, 0)));
        });
    }

    /**
     * Waits until the tiered broker has segments of the topic on both disks; answers which. That some are on both at
     * once depends on what other topics hold of the SSD.
     */
    SegmentFiles awaitBothDisks(String topic) {
        return await().atMost(DEADLINE)
                .until(
                        () -> SegmentFiles.of(tiered().config()).of(topic),
                        files -> !files.in(State.ONLY_CACHE).isEmpty()
                                && !files.in(State.WITHOUT_CACHE).isEmpty());
    }

    /** Waits until the tiered broker's SSD has only files of live segments. */
    void awaitNoStrays() {
        await().atMost(DEADLINE)
                .untilAsserted(() ->
                        assertThat(SegmentFiles.of(tiered().config()).strays()).isEmpty());
    }

    /** The segments of a topic's partition 0 in a broker's log directories: name, length and checksum of the bytes. */
    static List<String> segmentBytes(Broker broker, String topic) {
        return SegmentFiles.of(broker.config()).of(topic).segments().stream()
                .map(SegmentFiles.Segment::path)
                .sorted(Comparator.comparing(path -> path.getFileName().toString()))
                .map(Twins::describe)
                .collect(Collectors.toList());
    }

    private static String describe(Path file) {
        try {
            CRC32C crc = new CRC32C();
            byte[] bytes = Files.readAllBytes(file);
            crc.update(bytes);
            return file.getFileName() + " " + bytes.length + " " + Long.toHexString(crc.getValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
