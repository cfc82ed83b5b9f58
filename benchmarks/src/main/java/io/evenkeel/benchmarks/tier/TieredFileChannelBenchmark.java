/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the tiered channel cost over a bare one on the two paths that a fetch takes?
 *
 * <p>Expected: two atomic additions to the pins and one to a counter for each operation, whatever its length, and on
 * the HDD two readings of the clock. All of that is too little to show next to a system call that sends 64 KiB.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(4)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TieredFileChannelBenchmark {
    private static final int FILE_BYTES = 64 << 20;
    private static final int TRANSFER_BYTES = 64 << 10;

    /** {@code bare} is what stock uses; the others are ours around a file on that device. */
    @Param({"bare", "tieredSsd", "tieredHdd"})
    public String channel = "";

    private Path dir = Path.of("");
    private FileChannel file = Unopened.CHANNEL;
    private WritableByteChannel socket = Unopened.CHANNEL;
    private WritableByteChannel devNull = Unopened.CHANNEL;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(TRANSFER_BYTES);
    private final ByteBuffer heapBuffer = ByteBuffer.allocate(TRANSFER_BYTES);
    private long position;

    @Setup(Level.Trial)
    public void open() throws IOException {
        dir = Files.createTempDirectory(Path.of("").toAbsolutePath(), "benchmark-");
        Path hdd = Files.createDirectories(dir.resolve("hdd"));
        Path ssd = Files.createDirectory(dir.resolve("ssd"));
        Path segment = Files.createDirectory(hdd.resolve("t-0")).resolve("00000000000000000000.log");
        TierSettings settings = Objects.requireNonNull(TieredSsdConfig.parse(Map.of(
                "tiered.ssd.dirs",
                ssd.toString(),
                "tiered.ssd.capacity.bytes",
                "1000000000",
                "tiered.ssd.mode",
                channel.equals("tieredHdd") ? "paused" : "on")));
        TieredSsd tier = new TieredSsd(
                settings,
                List.of(new LogDirMeta(hdd, "id", "cluster", "1")),
                new FileOps(),
                silence(),
                System::nanoTime,
                new Random());
        FileChannel tiered = Objects.requireNonNull(tier.open(segment, new OpenRequest(FILE_BYTES, 0, null)));
        ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
        for (int written = 0; written < FILE_BYTES; written += 1 << 20) {
            tiered.write(zeros.clear());
        }
        file = channel.equals("bare") ? FileChannel.open(segment, StandardOpenOption.READ) : tiered;
        socket = drainedSocket();
        devNull = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        file.close();
        socket.close();
        devNull.close();
        Utils.delete(dir.toFile());
    }

    /** A consumer's fetch without TLS: zero copy to a socket that another thread reads as fast as it can. */
    @Benchmark
    public long transferToSocket() throws IOException {
        long start = next();
        long sent = 0;
        while (sent < TRANSFER_BYTES) {
            sent += file.transferTo(start + sent, TRANSFER_BYTES - sent, socket);
        }
        return sent;
    }

    /** The same without zero copy, through a buffer outside the heap. */
    @Benchmark
    public long readWriteDirect() throws IOException {
        return copyToSocket(buffer);
    }

    /** The same through an array: the JDK copies it to a buffer outside the heap and back. */
    @Benchmark
    public long readWriteHeap() throws IOException {
        return copyToSocket(heapBuffer);
    }

    private long copyToSocket(ByteBuffer through) throws IOException {
        long read = file.read(through.clear(), next());
        through.flip();
        while (through.hasRemaining()) {
            socket.write(through);
        }
        return read;
    }

    /** The same system call without a network behind it: the minimal cost of a send. */
    @Benchmark
    public long transferToNull() throws IOException {
        return file.transferTo(next(), TRANSFER_BYTES, devNull);
    }

    /** Nothing is sent: the cost is that of one query of the file's size and of the channel itself. */
    @Benchmark
    public long transferNothing() throws IOException {
        return file.transferTo(FILE_BYTES + 1, TRANSFER_BYTES, devNull);
    }

    /** A fetch with TLS, or the read of a batch header: a positional read. */
    @Benchmark
    public int readPositional() throws IOException {
        return file.read(buffer.clear(), next());
    }

    private long next() {
        position = (position + TRANSFER_BYTES) % FILE_BYTES;
        return position;
    }

    private static SocketChannel drainedSocket() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel sender = SocketChannel.open(server.getLocalAddress());
            SocketChannel receiver = server.accept();
            Thread drain = new Thread(() -> drain(receiver), "drain");
            drain.setDaemon(true);
            drain.start();
            return sender;
        }
    }

    private static void drain(SocketChannel receiver) {
        ByteBuffer sink = ByteBuffer.allocateDirect(1 << 20);
        try (receiver) {
            while (receiver.read(sink.clear()) >= 0) {
                // as fast as it can
            }
        } catch (ClosedChannelException e) {
            // the trial is over
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stands for a channel before the set-up; never used. */
    private static final class Unopened {
        static final FileChannel CHANNEL = open();

        private static FileChannel open() {
            try {
                return FileChannel.open(Path.of("/dev/null"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Ignores all events, but fails when the tier places the segment on the HDD. */
    private static TierListener silence() {
        return (TierListener) Proxy.newProxyInstance(
                TierListener.class.getClassLoader(),
                new Class<?>[] {TierListener.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("placedOnHdd")) {
                        throw new IllegalStateException("The segment must be on the SSD");
                    }
                    return null;
                });
    }
}
