/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The work that devices and processors did up to an instant, or between two instants. Immutable.
 *
 * @param othersCpuNanos of all processes but the broker and the benchmark's clients; includes the kernel's own threads
 * @param stolenNanos of all processors together: a program wanted to run, but the host did not let the machine
 * @param memoryShortages how often a program waited until it had freed memory for the whole machine
 */
public record Usage(
        Device hdd,
        Device ssd,
        long atNanos,
        long brokerCpuNanos,
        long clientsCpuNanos,
        long othersCpuNanos,
        long stolenNanos,
        long memoryShortages) {
    /** The heading of {@link #processors}. */
    public static final String PROCESSORS = "CPU: broker / clients / others / stolen";

    private static final int SECTOR_BYTES = 512;

    /**
     * A block device's counters; all zero when the device is unknown.
     *
     * @param flushes how often the device was told to make its cached writes durable
     */
    public record Device(long readBytes, long writtenBytes, long flushes) {
        public static Device of(String name) throws IOException {
            if (name.isEmpty()) {
                return new Device(0, 0, 0);
            }
            String[] stat =
                    Files.readString(Path.of("/sys/block", name, "stat")).trim().split("\\s+", -1);
            return new Device(
                    Long.parseLong(stat[2]) * SECTOR_BYTES,
                    Long.parseLong(stat[6]) * SECTOR_BYTES,
                    Long.parseLong(stat[15]));
        }

        public Device since(Device before) {
            return new Device(
                    readBytes - before.readBytes, writtenBytes - before.writtenBytes, flushes - before.flushes);
        }

        public long bytes() {
            return readBytes + writtenBytes;
        }
    }

    public static Usage now(Disks disks, long brokerPid, List<ProcessHandle> clients) throws IOException {
        long broker = cpuNanos(brokerPid);
        long ours = clients.stream().mapToLong(Usage::cpuNanos).sum();
        ProcessorTime machine = ProcessorTime.now();
        return new Usage(
                Device.of(disks.hddDevice()),
                Device.of(disks.ssdDevice()),
                System.nanoTime(),
                broker,
                ours,
                machine.usedNanos() - broker - ours,
                machine.stolenNanos(),
                memoryShortages(Files.readString(Path.of("/proc/vmstat"))));
    }

    public Usage since(Usage before) {
        return new Usage(
                hdd.since(before.hdd),
                ssd.since(before.ssd),
                atNanos - before.atNanos,
                brokerCpuNanos - before.brokerCpuNanos,
                clientsCpuNanos - before.clientsCpuNanos,
                othersCpuNanos - before.othersCpuNanos,
                stolenNanos - before.stolenNanos,
                memoryShortages - before.memoryShortages);
    }

    static long memoryShortages(String vmstat) {
        return vmstat.lines()
                .filter(line -> line.startsWith("allocstall"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    /** How many processors each of them had, on average, between two instants. */
    public String processors() {
        double nanos = atNanos;
        return "%.2f / %.2f / %.2f / %.3f"
                .formatted(
                        brokerCpuNanos / nanos, clientsCpuNanos / nanos, othersCpuNanos / nanos, stolenNanos / nanos);
    }

    /** The CPU time that a process has used since its start. */
    public static long cpuNanos(long pid) {
        return cpuNanos(ProcessHandle.of(pid).orElseThrow());
    }

    private static long cpuNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }
}
