/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Usage.Device;
import io.evenkeel.benchmarks.lab.Window;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What is the best way to bring a part of an append-only file to its device?
 *
 * <p>One thread appends to several files, a second thread pushes each of them to the device,
 * {@value AppendedFile#PART_BYTES} bytes at a time, and a third thread appends to a file that is never pushed. The ways
 * take turns, on each disk. {@code benchmarks/write-out} makes the disks and runs this class.
 */
public final class WriteOut {
    private static final Set<String> ARGUMENTS = Set.of("--hdd", "--ssd", "--seconds", "--rounds", "--mb", "--files");
    /** As large as a batch of Kafka's producer. */
    private static final int APPEND_BYTES = 16 << 10;

    private static final int OTHER_BYTES_PER_SECOND = 2_000_000;
    private static final int WARMUP_SECONDS = 2;
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final String HEADER =
            "| disk | way | calls/s | start, ms: p50 / p99 / max | durable, ms: p50 / p99 / max "
                    + "| append to the same files, ms: p99 / p99.9 / max "
                    + "| append to another file, ms: p99 / p99.9 / max "
                    + "| written / appended, MB/s | device's flushes/s |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    private final Arguments arguments;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private WriteOut(Arguments arguments) {
        this.arguments = arguments;
    }

    /** Arguments: see {@code benchmarks/write-out --help}. */
    public static void main(String[] args) throws Exception {
        WriteOut benchmark = new WriteOut(new Arguments(args, ARGUMENTS));
        try {
            benchmark.run();
        } finally {
            benchmark.threads.shutdownNow();
        }
    }

    private void run() throws IOException, InterruptedException, ExecutionException {
        if (!SyncFileRange.isThere()) {
            System.out.println("Skips sync_file_range, which needs JDK 22 or newer: set JAVA_HOME.\n");
        }
        System.out.println(HEADER);
        for (int round = 0; round < arguments.number("--rounds", 1); round++) {
            for (String disk : List.of("--hdd", "--ssd")) {
                for (Way way : Way.values()) {
                    if (way.isHere()) {
                        measure(disk, way);
                    }
                }
            }
        }
    }

    private void measure(String disk, Way way) throws IOException, InterruptedException, ExecutionException {
        Path dir = Files.createDirectories(arguments.path(disk).resolve("files"));
        String device = arguments.all(disk).size() > 1 ? arguments.all(disk).get(1) : "";
        List<AppendedFile> pushed = files(dir, arguments.number("--files", 8), way);
        List<AppendedFile> other = files(dir, 1, Way.KERNEL);
        Latencies starts = new Latencies();
        Latencies flushes = new Latencies();
        Latencies same = new Latencies();
        Latencies others = new Latencies();
        long bytesPerSecond = arguments.number("--mb", 20) * 1_000_000L;
        Window window = Window.of(WARMUP_SECONDS, arguments.number("--seconds", 20));
        List<Future<?>> load = List.of(
                threads.submit(() -> append(pushed, bytesPerSecond, window, same)),
                threads.submit(() -> append(other, OTHER_BYTES_PER_SECOND, window, others)),
                threads.submit(() -> push(pushed, window, starts, flushes)));
        window.awaitFrom();
        Device before = Device.of(device);
        window.awaitTo();
        Device used = Device.of(device).since(before);
        for (Future<?> part : load) {
            part.get();
        }
        close(pushed);
        close(other);
        System.out.printf(
                "| %s | %s | %.1f | %s | %s | %s | %s | %.1f / %.1f | %.1f |%n",
                disk.substring(2),
                way.title(),
                (starts.count() + flushes.count()) / window.seconds(),
                latencies(starts, 50, 99),
                latencies(flushes, 50, 99),
                latencies(same, 99, 99.9),
                latencies(others, 99, 99.9),
                used.writtenBytes() / 1e6 / window.seconds(),
                (same.count() + others.count()) * APPEND_BYTES / 1e6 / window.seconds(),
                used.flushes() / window.seconds());
    }

    private static List<AppendedFile> files(Path dir, int count, Way way) throws IOException {
        List<AppendedFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(new AppendedFile(Files.createTempDirectory(dir, "log").resolve("0.log"), way));
        }
        return files;
    }

    /**
     * Appends to the files in turn, at a steady rate however slow the disk is, and measures from the instant at which
     * each append was due.
     */
    private static void append(List<AppendedFile> files, long bytesPerSecond, Window window, Latencies latencies) {
        byte[] bytes = new byte[APPEND_BYTES];
        new Random(1).nextBytes(bytes);
        long intervalNanos = TimeUnit.SECONDS.toNanos(1) * APPEND_BYTES / bytesPerSecond;
        long due = window.startNanos();
        for (int i = 0; due - window.toNanos() < 0 && System.nanoTime() - window.toNanos() < 0; i++) {
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(TICK_NANOS);
            }
            try {
                files.get(i % files.size()).append(ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (window.counts(due)) {
                latencies.record(System.nanoTime() - due);
            }
            due += intervalNanos;
        }
    }

    private static void push(List<AppendedFile> files, Window window, Latencies starts, Latencies flushes) {
        Latencies ignored = Latencies.paused();
        try {
            while (System.nanoTime() - window.toNanos() < 0) {
                boolean counts = window.counts(System.nanoTime());
                for (AppendedFile file : files) {
                    if (file.isDue()) {
                        file.push(counts ? starts : ignored, counts ? flushes : ignored);
                    }
                }
                LockSupport.parkNanos(TICK_NANOS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String latencies(Latencies latencies, double first, double second) {
        return latencies.count() == 0
                ? "–"
                : "%.1f / %.1f / %.1f"
                        .formatted(
                                latencies.percentile(first), latencies.percentile(second), latencies.percentile(100));
    }

    private static void close(List<AppendedFile> files) throws IOException {
        for (AppendedFile file : files) {
            file.close();
        }
    }
}
