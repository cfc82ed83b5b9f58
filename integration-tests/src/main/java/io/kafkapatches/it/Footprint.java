/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;

/**
 * What a running broker holds of its machine at an instant. Immutable.
 *
 * @param heapBytes after a full collection
 * @param directBytes in direct buffers
 * @param mappedFiles how many mappings of files there are
 * @param openFiles below the node's directories
 * @param deletedFiles those of the open files that have no name any more: their space is not free
 */
public record Footprint(
        long heapBytes, long directBytes, long mappedFiles, long openFiles, long deletedFiles, long threads) {
    /** What the kernel adds to the name of an open file that has been deleted. */
    private static final String DELETED = " (deleted)";

    public static Footprint of(ForkedBroker broker) throws IOException {
        try (JMXConnector jmx = broker.jmx()) {
            MBeanServerConnection server = jmx.getMBeanServerConnection();
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                    server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            memory.gc();
            long threads = ManagementFactory.newPlatformMXBeanProxy(
                            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class)
                    .getThreadCount();
            List<String> files = openFiles(broker);
            return new Footprint(
                    memory.getHeapMemoryUsage().getUsed(),
                    buffers(server, "direct").getMemoryUsed(),
                    buffers(server, "mapped").getCount(),
                    files.size(),
                    files.stream().filter(file -> file.endsWith(DELETED)).count(),
                    threads);
        }
    }

    private static BufferPoolMXBean buffers(MBeanServerConnection server, String pool) throws IOException {
        return ManagementFactory.newPlatformMXBeanProxy(
                server, "java.nio:type=BufferPool,name=" + pool, BufferPoolMXBean.class);
    }

    /** Those of segments, indexes and checkpoints; no jars, no sockets. */
    private static List<String> openFiles(ForkedBroker broker) throws IOException {
        BrokerConfig config = broker.config();
        List<String> dirs = Stream.of(List.of(config.nodeDir()), config.logDirs(), config.ssdDirs())
                .flatMap(List::stream)
                .map(Path::toString)
                .toList();
        try (Stream<Path> handles = Files.list(Path.of("/proc", String.valueOf(broker.pid()), "fd"))) {
            return handles.map(Footprint::target)
                    .filter(target -> dirs.stream().anyMatch(target::startsWith))
                    .toList();
        }
    }

    /** What an open file is called; empty when it has been closed meanwhile. */
    private static String target(Path handle) {
        try {
            return Files.readSymbolicLink(handle).toString();
        } catch (NoSuchFileException closed) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
