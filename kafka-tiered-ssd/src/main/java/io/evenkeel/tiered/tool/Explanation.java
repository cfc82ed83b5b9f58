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
 * What there is to say of one segment; {@code explain --json} prints it. Immutable.
 *
 * @param state ONLY_CACHE, CACHED or WITHOUT_CACHE
 * @param isLive false when it only waits to be deleted or swapped in
 * @param isNewest true when it is appended to
 * @param stock what a broker without the tier sees
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
                        : "It is not live: it waits to be deleted with its topic or alone, or compaction is about to put it in"
                                + " place.",
                next + mode(disks.settings().dynamic().mode()),
                stock(segment.state()));
    }

    private static String where(SegmentState state) {
        return switch (state) {
            case ONLY_CACHE -> "On the SSD alone. Its path in the log directory is a link to the SSD file.";
            case CACHED -> "On both disks, complete. It is read from the SSD.";
            case WITHOUT_CACHE -> "On the HDD alone.";
        };
    }

    private static String why(SurveyedSegment segment, DiskSurvey survey) {
        return switch (segment.state()) {
            case ONLY_CACHE ->
                segment.isNewest()
                        ? "It is its partition's newest segment; records are appended to it."
                        : "It waits to be copied to the HDD" + waiting(segment, survey) + ".";
            case CACHED ->
                segment.isNewest()
                        ? "It was copied when its partition had a newer segment, which is gone."
                        : "It has been copied, and the SSD has not needed its space.";
            case WITHOUT_CACHE ->
                segment.isNewest()
                        ? "It was made on the HDD: the SSD had no room, or its topic or replica is not for the SSD. The"
                                + " broker's log and its gauges tell which."
                        : "It has been evicted, or it never was on the SSD; the disks do not tell which.";
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
        String copying = "it is copied to the HDD and read back, and the copy takes the link's place: CACHED.";
        return switch (segment.state()) {
            case ONLY_CACHE ->
                segment.isNewest()
                        ? "When its partition has a newer segment, " + copying
                        : "When its turn comes, " + copying;
            case CACHED ->
                segment.isNewest()
                        ? "It stays. When its bytes change, the link is put back first: ONLY_CACHE."
                        : leaves(segment, Objects.requireNonNull(segment.ssdDir()), disks, survey);
            case WITHOUT_CACHE ->
                segment.isNewest()
                        ? "The partition's next segment goes to the SSD if it may and there is room."
                        : "Nothing, until retention or compaction removes it.";
        };
    }

    private static String leaves(SurveyedSegment segment, Path ssd, BrokerDisks disks, DiskSurvey survey) {
        List<SurveyedSegment> order = survey.nextToLeave(ssd, Long.MAX_VALUE, 0);
        long usedBytes = Objects.requireNonNull(survey.usedBytes().get(ssd)) + disks.promisedBytes(survey, ssd);
        return "It leaves the SSD as number " + (order.indexOf(segment) + 1) + " of " + order.size()
                + ", oldest first, when more than " + Output.size(disks.highWatermarkBytes())
                + " are used or promised there; now it is " + Output.size(usedBytes) + ".";
    }

    private static String mode(TierMode mode) {
        return switch (mode) {
            case ON -> "";
            case PAUSED -> " But the config says tiered.ssd.mode=paused: nothing is copied or evicted.";
            case DRAIN -> " But the config says tiered.ssd.mode=drain: everything leaves the SSD as soon as it can.";
        };
    }

    private static String stock(SegmentState state) {
        return switch (state) {
            case ONLY_CACHE -> "It follows the link and uses the SSD file, so the SSD has to stay mounted.";
            case CACHED -> "It uses the HDD file. If it changes it, the SSD copy is dropped when the tier is back.";
            case WITHOUT_CACHE -> "It uses the HDD file, as any other.";
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
