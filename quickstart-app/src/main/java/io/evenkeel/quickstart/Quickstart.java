/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command: checks its requirements, starts the broker, runs the show and cleans up. */
public final class Quickstart {
    static final int PARTITIONS = 4;
    static final int SEGMENT_BYTES = 4 << 20;

    private final Options options;
    private final Workspace workspace;
    private final Path agentJar;
    private final PrintStream out;
    private final LiveView view;
    private volatile boolean cancelled;

    private Quickstart(Options options, Path agentJar, PrintStream out) {
        this.options = options;
        this.workspace = new Workspace(options.dir());
        this.agentJar = agentJar;
        this.out = out;
        this.view = new LiveView(out, System.getProperty("terminal") != null);
    }

    /** System properties: {@code agent.jar}, {@code kafka.libs}, and {@code terminal} when the output is one. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> arguments) {
        // Terminals speak UTF-8, also where the locale is not set.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try {
            Options options = Options.parse(arguments);
            if (options.help()) {
                out.print(Options.USAGE);
                return 0;
            }
            return new Quickstart(
                            options,
                            Path.of(System.getProperty("agent.jar", "")).toAbsolutePath(),
                            out)
                    .run();
        } catch (FileSystemException e) {
            // Its message is often only the path.
            System.err.println("quickstart: the directory cannot be used; choose another --dir: " + e);
            return 2;
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
        workspace.create(options.diskBytes());
        ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config());
        Thread cleaner = new Thread(() -> cleanUp(broker), "clean-up");
        Runtime.getRuntime().addShutdownHook(cleaner);
        out.printf(
                "Starting Apache Kafka %s in %s …%n",
                options.stock() ? "without the agent" : "with the agent", options.dir());
        try {
            broker.start();
            workspace.usedBy(broker.pid());
            boolean held = new Show(options, workspace, broker, view, out).run();
            end(broker);
            Runtime.getRuntime().removeShutdownHook(cleaner);
            return held ? 0 : 1;
        } catch (IOException | RuntimeException e) {
            return failed(broker, cleaner, e);
        }
    }

    private void end(ForkedBroker broker) {
        view.close();
        if (options.keep()) {
            broker.letGo();
            out.printf(
                    "%nThe broker is running: bootstrap.servers=%s, pid %d. To stop it: kill %d%n",
                    broker.bootstrap(), broker.pid(), broker.pid());
        } else {
            broker.stop();
            broker.close();
        }
    }

    /** Ends the broker. Its directories and its log stay for inspection. */
    private int failed(ForkedBroker broker, Thread cleaner, Exception e) {
        if (cancelled) {
            // Ctrl-C also reaches the broker, and causes this failure.
            return 1;
        }
        view.close();
        String what = broker.isAlive()
                ? String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                : "the broker has exited";
        System.err.println("quickstart: " + what + "; its log is " + broker.logFile());
        Runtime.getRuntime().removeShutdownHook(cleaner);
        broker.close();
        return 1;
    }

    /** After Ctrl-C: removes the directories, unless --keep is given. */
    private void cleanUp(ForkedBroker broker) {
        cancelled = true;
        view.close();
        broker.close();
        try {
            if (!options.keep()) {
                workspace.delete();
            }
        } catch (IOException e) {
            System.err.println("quickstart: could not remove " + options.dir() + " (" + e + ")");
        }
    }

    private BrokerConfig config() {
        BrokerConfig any = BrokerConfig.under(options.dir(), 1, 1);
        BrokerConfig config = new BrokerConfig(
                options.dir(),
                List.of(workspace.hdd()),
                options.stock() ? List.of() : List.of(workspace.ssd()),
                Map.of("log.segment.bytes", String.valueOf(SEGMENT_BYTES)),
                any.jvmFlags(),
                options.stock() ? null : agentJar,
                List.of(),
                options.port(),
                options.port() + 1);
        return options.stock()
                ? config
                : config.with("tiered.ssd.capacity.bytes", options.ssdCapacityBytes())
                        .with("tiered.ssd.copy.interval.ms", 200);
    }

    private static void requirePort(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            probe.getLocalPort();
        } catch (IOException e) {
            throw new IOException("port " + port + " is in use; choose another with --port", e);
        }
    }
}
