/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A broker's segments as its HDDs and SSDs hold them, read from the files alone. Immutable.
 *
 * <p>Below {@code <log dir>/<topic>-<partition>/} a segment is {@code <base>.log}, a link or a file; its SSD file is
 * {@code <ssd>/<directory id of the log dir>/<topic>-<partition>/<base>.log}, with a suffix {@code .2}, {@code .3} …
 * when an older file of that name still waits for deletion. A scan of a running broker is not a snapshot: it can miss
 * files that appear or disappear meanwhile, so wait for a state instead of asserting it.
 *
 * @param segments the live segments in the order of topic, partition and offset; not those that wait for deletion
 * @param strays files that belong to no segment: SSD files that no link points to and that equal no HDD file, dangling
 *     links, unfinished copies and links
 */
public record SegmentFiles(List<Segment> segments, Set<Path> strays) {
    private static final int LOOKS = 3;
    private static final Comparator<Segment> ORDER = Comparator.comparing(Segment::topic)
            .thenComparing(Segment::partition)
            .thenComparing(Segment::baseOffset);
    private static final Pattern PARTITION_DIR = Pattern.compile("(.+)-(\\d+)");
    /** A partition directory that is being deleted or moved; group 1 is its name before. */
    private static final Pattern RENAMED_DIR = Pattern.compile("(.+-\\d+)\\.[0-9a-f]{32}-(?:delete|future|stray)");
    /** A segment, on either device and also when it waits for deletion; group 1 is its name before. */
    private static final Pattern SEGMENT = Pattern.compile("((\\d{20})\\.log)(?:\\.(?:deleted|swap|cleaned|\\d+))?");

    /** Where a segment's bytes are. */
    public enum State {
        ONLY_CACHE,
        CACHED,
        WITHOUT_CACHE
    }

    /**
     * One live segment.
     *
     * @param path below the log directory
     * @param ssdFile null when the state is {@link State#WITHOUT_CACHE}
     */
    public record Segment(
            String topic,
            int partition,
            long baseOffset,
            State state,
            long bytes,
            Path path,
            @Nullable Path ssdFile) {}

    public SegmentFiles {
        segments = segments.stream().sorted(ORDER).toList();
    }

    /** Scans the disks of a broker. A file is a stray if several scans in a row find it so. */
    public static SegmentFiles of(BrokerConfig config) {
        try {
            SegmentFiles look = new Look(config).take();
            for (int i = 1; i < LOOKS && !look.strays.isEmpty(); i++) {
                SegmentFiles again = new Look(config).take();
                again.strays.retainAll(look.strays);
                look = again;
            }
            return look;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The segments of one topic. */
    public SegmentFiles of(String topic) {
        return new SegmentFiles(
                segments.stream().filter(s -> s.topic().equals(topic)).toList(), strays);
    }

    /** The segments of one partition. */
    public SegmentFiles of(String topic, int partition) {
        return new SegmentFiles(
                of(topic).segments.stream()
                        .filter(s -> s.partition() == partition)
                        .toList(),
                strays);
    }

    /** Those that nobody appends to any more: all but the newest of each partition. */
    public List<Segment> sealed() {
        return segments.stream()
                .filter(s -> !of(s.topic(), s.partition()).newest().equals(s))
                .toList();
    }

    private Segment newest() {
        return segments.get(segments.size() - 1);
    }

    /** The number of all bytes and their checksum, independent of segments. */
    public String bytes() {
        CRC32C crc = new CRC32C();
        long count = 0;
        for (Segment segment : segments) {
            try {
                byte[] bytes = Files.readAllBytes(segment.path());
                crc.update(bytes);
                count += bytes.length;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return count + "#" + Long.toHexString(crc.getValue());
    }

    public List<Segment> in(State state) {
        return segments.stream().filter(s -> s.state() == state).toList();
    }

    public long bytesIn(State state) {
        return in(state).stream().mapToLong(Segment::bytes).sum();
    }

    /** One scan: the HDDs first, then the files on the SSDs are matched to them. */
    private static final class Look {
        private final BrokerConfig config;
        private final List<Segment> segments = new ArrayList<>();
        private final Set<Path> strays = new TreeSet<>();
        private final Set<Path> linked = new HashSet<>();
        /** Real HDD files by the place of an SSD copy of them: directory id, partition, segment. */
        private final Map<Path, List<Path>> realFiles = new HashMap<>();
        /** SSD copies by the HDD file that they equal. */
        private final Map<Path, Path> copies = new HashMap<>();

        Look(BrokerConfig config) {
            this.config = config;
        }

        SegmentFiles take() throws IOException {
            for (Path logDir : config.logDirs()) {
                Path id = Path.of(directoryId(logDir));
                for (Path partitionDir : entries(logDir)) {
                    for (Path file : entries(partitionDir)) {
                        lookAtHddFile(id, file);
                    }
                }
            }
            for (Path ssd : config.ssdDirs()) {
                for (Path logDir : entries(ssd)) {
                    for (Path partitionDir : entries(logDir)) {
                        for (Path file : entries(partitionDir)) {
                            lookAtSsdFile(ssd.relativize(file), file);
                        }
                    }
                }
            }
            for (Path real : realFiles.values().stream().flatMap(List::stream).toList()) {
                Path copy = copies.get(real);
                add(real, copy == null ? State.WITHOUT_CACHE : State.CACHED, copy);
            }
            return new SegmentFiles(segments, strays);
        }

        private void lookAtHddFile(Path id, Path file) throws IOException {
            Matcher segment = SEGMENT.matcher(name(file));
            boolean isLink = Files.isSymbolicLink(file);
            if (!segment.matches()) {
                if (isLink || name(file).contains(".tiering")) {
                    strays.add(file);
                }
            } else if (!isLink) {
                Matcher renamed = RENAMED_DIR.matcher(parentName(file));
                Path partition = Path.of(renamed.matches() ? renamed.group(1) : parentName(file));
                Path place = id.resolve(partition).resolve(segment.group(1));
                realFiles.computeIfAbsent(place, p -> new ArrayList<>()).add(file);
            } else {
                lookAtLink(id, file);
            }
        }

        private void lookAtLink(Path id, Path link) throws IOException {
            try {
                Path target = Files.readSymbolicLink(link).toRealPath();
                linked.add(target);
                add(link, State.ONLY_CACHE, target);
            } catch (NotLinkException copiedMeanwhile) {
                lookAtHddFile(id, link);
            } catch (NoSuchFileException dangling) {
                if (Files.isSymbolicLink(link)) {
                    strays.add(link);
                }
            }
        }

        private void lookAtSsdFile(Path place, Path file) throws IOException {
            try {
                if (linked.contains(file.toRealPath())) {
                    return;
                }
            } catch (NoSuchFileException evictedMeanwhile) {
                return;
            }
            Matcher segment = SEGMENT.matcher(name(file));
            List<Path> candidates =
                    segment.matches() ? realFiles.get(place.resolveSibling(segment.group(1))) : List.of();
            for (Path real : candidates == null ? List.<Path>of() : candidates) {
                if (equalInSizeAndTime(real, file)) {
                    copies.put(real, file);
                    return;
                }
            }
            strays.add(file);
        }

        /** Adds the segment unless it waits for deletion. */
        private void add(Path path, State state, @Nullable Path ssdFile) throws IOException {
            Matcher partition = PARTITION_DIR.matcher(parentName(path));
            Matcher segment = SEGMENT.matcher(name(path));
            if (partition.matches() && segment.matches() && name(path).equals(segment.group(1))) {
                segments.add(new Segment(
                        partition.group(1),
                        Integer.parseInt(partition.group(2)),
                        Long.parseLong(segment.group(2)),
                        state,
                        path.toFile().length(),
                        path,
                        ssdFile));
            }
        }

        /** To the microsecond, as the JDK sets a file's time, or to the second where a file system keeps no more. */
        private static boolean equalInSizeAndTime(Path one, Path other) throws IOException {
            try {
                BasicFileAttributes a = Files.readAttributes(one, BasicFileAttributes.class);
                BasicFileAttributes b = Files.readAttributes(other, BasicFileAttributes.class);
                return a.size() == b.size()
                        && equal(
                                a.lastModifiedTime().to(MICROSECONDS),
                                b.lastModifiedTime().to(MICROSECONDS));
            } catch (NoSuchFileException goneMeanwhile) {
                return false;
            }
        }

        private static boolean equal(long micros, long otherMicros) {
            long second = SECONDS.toMicros(1);
            boolean whole = micros % second == 0 || otherMicros % second == 0;
            return whole ? micros / second == otherMicros / second : micros == otherMicros;
        }

        private static String directoryId(Path logDir) throws IOException {
            try (Reader reader = Files.newBufferedReader(logDir.resolve("meta.properties"))) {
                Properties meta = new Properties();
                meta.load(reader);
                return meta.getProperty("directory.id");
            }
        }

        private static List<Path> entries(Path dir) throws IOException {
            try (Stream<Path> list = Files.list(dir)) {
                return list.sorted().toList();
            } catch (NotDirectoryException | NoSuchFileException goneOrFile) {
                return List.of();
            }
        }

        private static String parentName(Path path) {
            return path.getName(path.getNameCount() - 2).toString();
        }

        private static String name(Path path) {
            return path.getFileName().toString();
        }
    }
}
