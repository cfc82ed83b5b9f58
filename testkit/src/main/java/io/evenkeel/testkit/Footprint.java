/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/**
 * The resources that a running broker holds at one instant. Immutable.
 *
 * @param heapBytes of objects, after a full collection; without byte arrays, as Kafka's Raft client pools up to five
 *     buffers of 8 MB, and takes another one whenever the machine is busy
 * @param ownObjects of classes of ours
 * @param directBytes in direct buffers
 * @param mappedFiles how many mappings of files there are
 * @param openFiles below the node's directories
 * @param deletedFiles those of the open files that have no name any more: their space is not free
 */
public record Footprint(
        long heapBytes,
        long ownObjects,
        long directBytes,
        long mappedFiles,
        long openFiles,
        long deletedFiles,
        long threads) {
    /** A line of a class histogram: number, instances, bytes, class. */
    private static final Pattern CLASS = Pattern.compile("(?m)^ *\\d+: +(\\d+) +(\\d+) +(\\S+)");

    private static final String BYTE_ARRAY = "[B";
    private static final String OURS = "io.evenkeel.tiered.";

    /** The suffix that the kernel adds to the name of an open file that has been deleted. */
    private static final String DELETED = " (deleted)";

    public static Footprint of(ForkedBroker broker) throws IOException {
        try (JMXConnector jmx = broker.jmx()) {
            MBeanServerConnection server = jmx.getMBeanServerConnection();
            String objects = histogram(server);
            long threads = ManagementFactory.newPlatformMXBeanProxy(
                            server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class)
                    .getThreadCount();
            List<String> files = openFiles(broker);
            return new Footprint(
                    sum(objects, 2, name -> !name.equals(BYTE_ARRAY)),
                    sum(objects, 1, name -> name.startsWith(OURS)),
                    buffers(server, "direct").getMemoryUsed(),
                    buffers(server, "mapped").getCount(),
                    files.size(),
                    files.stream().filter(file -> file.endsWith(DELETED)).count(),
                    threads);
        }
    }

    /** The classes of all objects that a full collection leaves. */
    private static String histogram(MBeanServerConnection server) throws IOException {
        try {
            return (String) server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IOException("This JVM does not count its objects: " + e, e);
        }
    }

    private static long sum(String histogram, int column, Predicate<String> classes) {
        return CLASS.matcher(histogram)
                .results()
                .filter(line -> classes.test(line.group(3)))
                .mapToLong(line -> Long.parseLong(line.group(column)))
                .sum();
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

    /** The name of an open file; empty if it has been closed meanwhile. */
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
