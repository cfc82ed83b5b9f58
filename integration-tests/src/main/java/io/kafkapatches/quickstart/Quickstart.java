/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.quickstart;

import io.kafkapatches.it.BrokerConfig;
import io.kafkapatches.it.ForkedBroker;
import io.kafkapatches.it.KafkaRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command: checks what it needs, starts the broker, runs the show, and leaves nothing behind that it should not. */
public final class Quickstart {
    static final int PARTITIONS = 4;

    private static final int SEGMENT_BYTES = 4 << 20;
    private static final long SSD_CAPACITY_BYTES = 128L << 20;
    private static final long SPARE_BYTES = 1L << 30;

    private final Options options;
    private final Path agentJar;

    private Quickstart(Options options, Path agentJar) {
        this.options = options;
        this.agentJar = agentJar;
    }

    /** System properties: {@code agent.jar}, {@code kafka.libs}, and {@code terminal} when the output is one. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) {
        try {
            Options options = Options.parse(arguments);
            if (options.help()) {
                System.out.print(Options.USAGE);
                return 0;
            }
            return new Quickstart(
                            options,
                            Path.of(System.getProperty("agent.jar", "")).toAbsolutePath())
                    .run();
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("quickstart: " + e.getMessage());
            return 2;
        } catch (InterruptedException e) {
            return 1;
        }
    }

    private int run() throws IOException, InterruptedException {
        requirePort(options.port());
        requirePort(options.port() + 1);
        delete(options.dir());
        Files.createDirectories(options.dir());
        requireRoom();
        ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config());
        Thread cleaner = new Thread(() -> cleanUp(broker), "clean-up");
        Runtime.getRuntime().addShutdownHook(cleaner);
        System.out.printf(
                "Starting Apache Kafka %s in %s …%n",
                options.stock() ? "without the agent" : "with the agent", options.dir());
        try {
            broker.start();
        } catch (RuntimeException e) {
            keepFiles(cleaner, broker);
            throw new IOException("the broker did not start; see " + broker.logFile(), e);
        }
        boolean held = new Show(options, broker, System.getProperty("terminal") != null).run();
        if (options.keep()) {
            Runtime.getRuntime().removeShutdownHook(cleaner);
            broker.letGo();
            System.out.printf(
                    "%nThe broker is running: bootstrap.servers=%s, pid %d. To stop it: kill %d%n",
                    broker.bootstrap(), broker.pid(), broker.pid());
        } else {
            broker.stop();
            keepFiles(cleaner, broker);
        }
        return held ? 0 : 1;
    }

    /** The broker goes, its directories and its log stay to be looked at. */
    private static void keepFiles(Thread cleaner, ForkedBroker broker) {
        Runtime.getRuntime().removeShutdownHook(cleaner);
        broker.close();
    }

    private void cleanUp(ForkedBroker broker) {
        broker.close();
        try {
            delete(options.dir());
        } catch (IOException e) {
            System.err.println("quickstart: could not remove " + options.dir() + " (" + e + ")");
        }
    }

    private BrokerConfig config() {
        BrokerConfig any = BrokerConfig.under(options.dir(), 1, 1);
        BrokerConfig config = new BrokerConfig(
                options.dir(),
                List.of(options.dir().resolve("hdd")),
                options.stock() ? List.of() : List.of(options.dir().resolve("ssd")),
                Map.of("log.segment.bytes", String.valueOf(SEGMENT_BYTES)),
                any.jvmFlags(),
                options.stock() ? null : agentJar,
                List.of(),
                options.port(),
                options.port() + 1);
        return options.stock()
                ? config
                : config.with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES).with("tiered.ssd.sync.interval.ms", 200);
    }

    private static void requirePort(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            probe.getLocalPort();
        } catch (IOException e) {
            throw new IOException("port " + port + " is in use; choose another with --port", e);
        }
    }

    private void requireRoom() throws IOException {
        long neededBytes = options.rateBytesPerSecond() * options.seconds() + SSD_CAPACITY_BYTES + SPARE_BYTES;
        long freeBytes = Files.getFileStore(options.dir()).getUsableSpace();
        if (freeBytes < neededBytes) {
            throw new IOException("too little disk: %s needed, %s free in %s; use --dir, --rate or --seconds"
                    .formatted(LiveView.mb(neededBytes), LiveView.mb(freeBytes), options.dir()));
        }
    }

    private static void delete(Path dir) throws IOException {
        if (!Files.exists(dir)) {
            return;
        }
        if (!Files.exists(dir.resolve("server.properties")) && !isEmpty(dir)) {
            throw new IOException(dir + " is not empty and not from an earlier quickstart; choose another with --dir");
        }
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static boolean isEmpty(Path dir) throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.findAny().isEmpty();
        }
    }
}
