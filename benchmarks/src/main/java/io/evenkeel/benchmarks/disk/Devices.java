/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.disk;

import com.sun.nio.file.ExtendedOpenOption;
import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Window;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What do the emulated disks give to one reader and to many?
 *
 * <p>Reads a file past the page cache: 1 MiB after the other, each reader from a place of its own, or 4 KiB at random
 * places. {@code benchmarks/devices} makes the disks and bounds and runs this class.
 */
public final class Devices {
    private static final Set<String> ARGUMENTS =
            Set.of("--hdd", "--ssd", "--mib", "--seconds", "--rounds", "--readers");
    private static final int MIB = 1 << 20;
    /** Direct I/O asks for no less on any disk. */
    private static final int PAGE = 4096;

    private static final List<Pattern> PATTERNS =
            List.of(new Pattern("sequential", MIB, false), new Pattern("random", PAGE, true));

    private final Arguments arguments;

    /** The order and size of reads. Immutable. */
    private record Pattern(String name, int bytes, boolean random) {}

    private Devices(Arguments arguments) {
        this.arguments = arguments;
    }

    /** Arguments: see {@code benchmarks/devices --help}. */
    public static void main(String[] args) throws Exception {
        new Devices(new Arguments(args, ARGUMENTS)).run();
    }

    private void run() throws Exception {
        List<Integer> readers =
                arguments.all("--readers").stream().map(Integer::valueOf).toList();
        System.out.println("| disk | pattern | readers | MB/s | reads/s | latency p50 / p99 / p99.9 / max, ms |");
        System.out.println("| --- | --- | --- | --- | --- | --- |");
        Path hdd = fill(arguments.path("--hdd"));
        Path ssd = fill(arguments.path("--ssd"));
        for (int round = 0; round < arguments.number("--rounds", 3); round++) {
            for (Pattern pattern : PATTERNS) {
                for (int count : readers.isEmpty() ? List.of(1, 2, 4, 8, 16, 32, 64) : readers) {
                    measure("HDD", hdd, pattern, count);
                    measure("SSD", ssd, pattern, count);
                }
            }
        }
    }

    /** A file of incompressible bytes, all of which are on the disk. */
    private Path fill(Path dir) throws IOException {
        Path file = Files.createDirectories(dir).resolve("probe");
        byte[] bytes = new byte[MIB];
        new Random(1).nextBytes(bytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < arguments.number("--mib", 1024); i++) {
                channel.write(ByteBuffer.wrap(bytes));
            }
            channel.force(true);
        }
        return file;
    }

    private void measure(String disk, Path file, Pattern pattern, int readers) throws IOException {
        LongAdder reads = new LongAdder();
        Latencies latencies = new Latencies();
        Window window = Window.of(0, arguments.number("--seconds", 10));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            long size = channel.size();
            List<Thread> threads = IntStream.range(0, readers)
                    .mapToObj(reader -> Threads.start(
                            "reader-" + reader,
                            () -> read(channel, size * reader / readers, size, pattern, window, reads, latencies)))
                    .toList();
            threads.forEach(Threads::join);
        }
        double perSecond = reads.sum() / window.seconds();
        System.out.printf(
                "| %s | %s | %d | %.1f | %.0f | %s |%n",
                disk, pattern.name(), readers, perSecond * pattern.bytes() / 1e6, perSecond, latencies.describe());
    }

    private static void read(
            FileChannel channel,
            long from,
            long size,
            Pattern pattern,
            Window window,
            LongAdder reads,
            Latencies latencies) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(pattern.bytes() + PAGE).alignedSlice(PAGE);
        Random random = new Random(from);
        long places = size / pattern.bytes();
        long place = from / pattern.bytes();
        try {
            while (window.counts(System.nanoTime())) {
                place = pattern.random() ? random.nextLong(places) : (place + 1) % places;
                long startNanos = System.nanoTime();
                channel.read(buffer.clear().limit(pattern.bytes()), place * pattern.bytes());
                long endNanos = System.nanoTime();
                if (window.counts(endNanos)) {
                    reads.increment();
                    latencies.record(endNanos - startNanos);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
