/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of Kafka's segment files, and of the files that we write beside them. Immutable.
 *
 * @param baseOffset the first offset the segment may hold
 * @param suffix empty for a live segment; {@code .deleted}, {@code .cleaned} or {@code .swap} for others
 */
public record SegmentFileName(long baseOffset, String suffix) {
    /** Follows the name of a copy that is not finished. */
    public static final String COPY_SUFFIX = ".tiering";

    /** Follows the name of a file that an append carries off a full SSD: a copy of the same segment may be running. */
    public static final String SPILL_SUFFIX = ".spill.tiering";

    /** Follows the name of a link that is about to be renamed over its segment. */
    public static final String LINK_SUFFIX = ".tiering-link";

    public static final String DELETED_SUFFIX = ".deleted";

    private static final int OFFSET_DIGITS = 20;

    /** Kafka cuts the end of a topic's name off when the suffix of a rename would make the directory's name longer. */
    private static final int LONGEST_DIR_NAME = 255;

    private static final String METADATA_PARTITION = "__cluster_metadata-0";
    private static final String LOG_SUFFIX = ".log";
    private static final String CLEANED_SUFFIX = ".cleaned";
    private static final Set<String> SUFFIXES = Set.of("", DELETED_SUFFIX, CLEANED_SUFFIX, ".swap");
    private static final Pattern NUMBER_SUFFIX = Pattern.compile("\\.\\d+");
    private static final Pattern DYING_PARTITION = Pattern.compile(".*\\.[^.]+-(delete|stray)");
    private static final Pattern RENAMED_PARTITION = Pattern.compile("(.*)\\.[^.]+-(delete|stray|future)");
    private static final Pattern FUTURE_PARTITION = Pattern.compile(".*\\.[^.]+-future");

    /** The parsed name of a segment's log file in a log directory, or null for any other file. */
    public static @Nullable SegmentFileName parse(Path file) {
        return parse(nameOf(file));
    }

    public static @Nullable SegmentFileName parse(String name) {
        String suffix = afterLog(name);
        long baseOffset = suffix == null || !SUFFIXES.contains(suffix) ? -1 : leadingOffset(name);
        return suffix == null || baseOffset < 0 ? null : new SegmentFileName(baseOffset, suffix);
    }

    /** The base offset of a file in an SSD directory, or -1 when the file is not ours. */
    public static long baseOffsetOnSsd(Path file) {
        String segment = segmentOnSsd(nameOf(file));
        return segment == null ? -1 : leadingOffset(segment);
    }

    /** The segment's name for a file in an SSD directory, or null when the file is not ours. */
    public static @Nullable String segmentOnSsd(String name) {
        String suffix = afterLog(name);
        if (suffix == null || leadingOffset(name) < 0) {
            return null;
        }
        boolean ours = suffix.isEmpty() || NUMBER_SUFFIX.matcher(suffix).matches();
        return ours ? name.substring(0, name.length() - suffix.length()) : null;
    }

    /** The part of a name after {@code <base>.log}; null when the name has another shape. Quick: most names have. */
    private static @Nullable String afterLog(String name) {
        return name.startsWith(LOG_SUFFIX, OFFSET_DIGITS) ? name.substring(OFFSET_DIGITS + LOG_SUFFIX.length()) : null;
    }

    /** True for a file that only a crash can have left behind. */
    public static boolean isLeftover(String name) {
        return name.endsWith(COPY_SUFFIX) || name.endsWith(SPILL_SUFFIX) || name.endsWith(LINK_SUFFIX);
    }

    /** The offset at the beginning of the name of any file of a segment, or -1. */
    public static long leadingOffset(Path file) {
        return leadingOffset(nameOf(file));
    }

    private static long leadingOffset(String name) {
        if (name.length() <= OFFSET_DIGITS || name.charAt(OFFSET_DIGITS) != '.') {
            return -1;
        }
        long offset = 0;
        for (int i = 0; i < OFFSET_DIGITS; i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || offset > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            offset = offset * 10 + digit;
        }
        return offset;
    }

    public static Path withSuffix(Path file, String suffix) {
        return file.resolveSibling(nameOf(file) + suffix);
    }

    public boolean isLive() {
        return suffix.isEmpty();
    }

    public boolean isDeleted() {
        return suffix.equals(DELETED_SUFFIX);
    }

    /** True for a file that Kafka's loader deletes: it waits to be deleted, or was not finished. */
    public boolean isTemporary() {
        return isDeleted() || suffix.equals(CLEANED_SUFFIX);
    }

    /** True for a directory whose segments the tier handles: any partition's but the cluster metadata's. */
    public static boolean isTiered(Path partitionDir) {
        return !nameOf(partitionDir).equals(METADATA_PARTITION);
    }

    /** True for the directory of a topic that is being deleted, or of a stray replica. */
    public static boolean isDying(Path partitionDir) {
        return DYING_PARTITION.matcher(nameOf(partitionDir)).matches();
    }

    /** True for the directory of a topic that is being deleted: missing records do no harm there. */
    public static boolean isDeleted(Path partitionDir) {
        return nameOf(partitionDir).endsWith("-delete") && isDying(partitionDir);
    }

    /** True for the directory of a replica that should not be here; Kafka keeps it for the operator to look at. */
    public static boolean isStray(Path partitionDir) {
        return nameOf(partitionDir).endsWith("-stray") && isDying(partitionDir);
    }

    /** True for a replica that moves here from another log directory: its data is old and belongs on the HDD. */
    public static boolean isFuture(Path partitionDir) {
        return FUTURE_PARTITION.matcher(nameOf(partitionDir)).matches();
    }

    /** The topic of a partition's directory, as of {@code orders-7}; empty for one that Kafka has renamed. */
    public static String topicOf(String partitionDir) {
        int end = partitionDir.lastIndexOf('-');
        return end >= 0 && Character.isDigit(partitionDir.charAt(partitionDir.length() - 1))
                ? partitionDir.substring(0, end)
                : "";
    }

    /**
     * The name of a partition's directory without the suffix that Kafka gives it for a deletion, a stray replica or a
     * move between log directories.
     */
    public static String partitionBeforeRename(Path partitionDir) {
        Matcher matcher = RENAMED_PARTITION.matcher(nameOf(partitionDir));
        return matcher.matches() ? matcher.group(1) : nameOf(partitionDir);
    }

    /** True when {@link #partitionBeforeRename} is perhaps not the whole name. */
    public static boolean isPerhapsShortened(Path partitionDir) {
        String name = nameOf(partitionDir);
        return name.length() >= LONGEST_DIR_NAME
                && RENAMED_PARTITION.matcher(name).matches();
    }

    /** The last part of a path; empty for a root. A start calls this for each file, so it makes no path. */
    public static String nameOf(Path path) {
        String whole = path.toString();
        return whole.substring(whole.lastIndexOf(path.getFileSystem().getSeparator()) + 1);
    }

    /** The directory that a file is in. */
    public static Path dirOf(Path file) {
        Path dir = file.getParent();
        return dir == null ? file.resolveSibling("") : dir;
    }
}
