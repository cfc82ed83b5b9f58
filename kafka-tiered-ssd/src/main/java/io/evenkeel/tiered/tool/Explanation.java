/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of one segment; {@code explain --json} prints it. Immutable.
 *
 * @param state ONLY_CACHE, CACHED or WITHOUT_CACHE
 * @param isLive false when it waits to be deleted or swapped in
 * @param isNewest true when it is the active segment
 * @param stock what a broker without the tier reads
 */
record Explanation(
        String path,
        @Nullable String ssdFile,
        String partition,
        long baseOffset,
        String state,
        long bytes,
        long lastModifiedMs,
        boolean isLive,
        boolean isNewest,
        String where,
        String why,
        String next,
        String stock) {

    static Explanation of(SurveyedSegment segment, BrokerDisks disks, DiskSurvey survey) {
        String next = segment.isLive() ? next(segment, disks, survey) : "Kafka removes or renames it.";
        return new Explanation(
                segment.path().toString(),
                segment.ssdFile() == null ? null : segment.ssdFile().toString(),
                segment.partition(),
                segment.baseOffset(),
                segment.state().name(),
                segment.sizeBytes(),
                segment.lastModifiedMs(),
                segment.isLive(),
                segment.isNewest(),
                where(segment.state()),
                segment.isLive()
                        ? why(segment, survey)
                        : "It is not live: it waits to be deleted, or compaction is about to swap it in.",
                next + mode(disks.settings().dynamic().mode()),
                stock(segment.state()));
    }

    private static String where(SegmentState state) {
        return switch (state) {
            case ONLY_CACHE -> "On the SSD only. Its path in the log directory is a link to the SSD file.";
            case CACHED -> "On both disks, complete. The broker reads it from the SSD.";
            case WITHOUT_CACHE -> "On the HDD only.";
        };
    }

    private static String why(SurveyedSegment segment, DiskSurvey survey) {
        return switch (segment.state()) {
            case ONLY_CACHE ->
                segment.isNewest()
                        ? "It is the active segment of its partition."
                        : "It waits to be copied to the HDD" + waiting(segment, survey) + ".";
            case CACHED ->
                segment.isNewest()
                        ? "It was copied when its partition had a newer segment, which has been deleted since."
                        : "It has been copied, and the SSD has not needed the space yet.";
            case WITHOUT_CACHE ->
                segment.isNewest()
                        ? "It was created on the HDD: the SSD had no room, or the config keeps the topic or the"
                                + " follower off the SSD. The broker's log and metrics show which."
                        : "It has been evicted, or it was never on the SSD; the disks do not show which.";
        };
    }

    private static String waiting(SurveyedSegment segment, DiskSurvey survey) {
        List<SurveyedSegment> others = survey.links().stream()
                .filter(link -> link.isLive() && !link.isNewest())
                .filter(link -> link.logDir().equals(segment.logDir()) && !link.equals(segment))
                .toList();
        long bytes = others.stream().mapToLong(SurveyedSegment::sizeBytes).sum();
        return others.isEmpty()
                ? ""
                : ", with " + others.size() + " more of this log directory (" + Output.size(bytes) + ")";
    }

    private static String next(SurveyedSegment segment, BrokerDisks disks, DiskSurvey survey) {
        String copying = "the broker copies it to the HDD, reads the copy back, and replaces the link: CACHED.";
        return switch (segment.state()) {
            case ONLY_CACHE ->
                segment.isNewest()
                        ? "When its partition has a newer segment, " + copying
                        : "When its turn comes, " + copying;
            case CACHED ->
                segment.isNewest()
                        ? "It stays. Before its bytes change, the broker restores the link: ONLY_CACHE."
                        : eviction(segment, Objects.requireNonNull(segment.ssdDir()), disks, survey);
            case WITHOUT_CACHE ->
                segment.isNewest()
                        ? "The partition's next segment goes to the SSD if the config allows it and there is room."
                        : "Nothing, until retention or compaction removes it.";
        };
    }

    private static String eviction(SurveyedSegment segment, Path ssd, BrokerDisks disks, DiskSurvey survey) {
        List<SurveyedSegment> order = survey.nextEvictions(ssd, Long.MAX_VALUE, 0, System.currentTimeMillis());
        long usedBytes = Objects.requireNonNull(survey.usedBytes().get(ssd));
        return "It is evicted as number " + (order.indexOf(segment) + 1) + " of " + order.size()
                + ", oldest first, above " + Output.size(disks.highWatermarkBytes())
                + " used; now " + Output.size(usedBytes) + ".";
    }

    private static String mode(TierMode mode) {
        return switch (mode) {
            case ON, SHADOW -> "";
            case PAUSED -> " But the config says tiered.ssd.mode=paused: the broker copies and evicts nothing.";
            case DRAIN ->
                " But the config says tiered.ssd.mode=drain: the broker moves all segments off the SSD as soon as"
                        + " possible.";
        };
    }

    private static String stock(SegmentState state) {
        return switch (state) {
            case ONLY_CACHE -> "It follows the link to the SSD file, so the SSD has to stay mounted.";
            case CACHED ->
                "It uses the HDD file. If it changes the file, the tier drops the SSD copy at its next start.";
            case WITHOUT_CACHE -> "It uses the HDD file, like any other segment.";
        };
    }

    void show(Output output) {
        output.line(path);
        if (ssdFile != null) {
            output.line((state.equals("ONLY_CACHE") ? "  -> " : "  and ") + ssdFile);
        }
        output.line("");
        output.line(
                "state         " + state + ", " + Output.size(bytes) + ", last written " + Output.time(lastModifiedMs));
        output.line("where         " + where);
        output.line("why           " + why);
        output.line("next          " + next);
        output.line("stock broker  " + stock);
    }
}
