/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.identity.LinkFault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says why a broker does not start, all at once, and what to do about it. Not thread safe; made for one start. */
final class StartRefusal {
    private static final int SHOWN_LINKS = 3;

    /** What links have in common that cannot be relied upon for the same reason. */
    private record Cause(LinkFault doubt, Path place) {}

    private final TierSettings settings;
    private final List<String> problems;
    private final List<BrokenLink> broken;

    StartRefusal(TierSettings settings, List<String> problems, List<BrokenLink> broken) {
        this.settings = settings;
        this.problems = List.copyOf(problems);
        this.broken = List.copyOf(broken);
    }

    /** True when the start can go on once the tails that are missing have been given up, or when there are none. */
    boolean isAvertedBy(OnMissing onMissing) {
        return problems.isEmpty()
                && (broken.isEmpty() || onMissing == OnMissing.TRUNCATE)
                && broken.stream().allMatch(promise -> promise.doubt().mayBeLost());
    }

    String message() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "The SSD tier cannot start, because the disks are not what the broker left. Nothing has been changed.");
        problems.forEach(problem -> lines.add("- " + problem));
        Map<Cause, List<BrokenLink>> causes = new LinkedHashMap<>();
        for (BrokenLink promise : broken) {
            causes.computeIfAbsent(new Cause(promise.doubt(), promise.place()), cause -> new ArrayList<>())
                    .add(promise);
        }
        causes.forEach((cause, promises) -> {
            lines.add("- " + text(cause) + " " + count(promises));
            promises.stream()
                    .limit(SHOWN_LINKS)
                    .forEach(promise -> lines.add("    " + promise.link() + " -> " + promise.target()));
            if (promises.size() > SHOWN_LINKS) {
                lines.add("    ...");
            }
        });
        lines.add(advice());
        return String.join("\n", lines);
    }

    private String text(Cause cause) {
        Path place = cause.place();
        return switch (cause.doubt()) {
            case MISSING -> place + " is missing: there is no such directory. Is the SSD mounted?";
            case BLANK -> place + " is blank: it is an empty directory. Is the SSD mounted, or has it been replaced?";
            case STALE ->
                place + " is stale: the broker has been started without it since, so it holds an old version of what"
                        + " is only there. Is it an old image, or a copy?";
            case LACKING -> place + " lacks files that are only there.";
            case DROPPED ->
                place + ", where an SSD was, is not in " + TierSettings.DIRS + " any more, and not mounted.";
            case UNCONFIGURED ->
                place + ", where an SSD is, is not in " + TierSettings.DIRS + " any more. Put it back.";
            case SWAPPED ->
                place + " holds another of this broker's SSDs than the one that was there. Are the mounts swapped?";
            case OUTSIDE ->
                "Links lead outside " + TierSettings.DIRS + "=" + settings.ssdDirs()
                        + ". Is a directory left out there, or has somebody put a link into a log directory?";
            case TWICE -> "Links lead to a file that another link leads to. Has a log directory been copied?";
            case PROBLEM -> place + " cannot be used, see above.";
        };
    }

    private static String count(List<BrokenLink> promises) {
        long partitions =
                promises.stream().map(BrokenLink::partition).distinct().count();
        return promises.size()
                + (promises.size() == 1 ? " segment of " : " segments of ")
                + partitions
                + (partitions == 1 ? " partition:" : " partitions:");
    }

    private String advice() {
        boolean lost = broken.stream().anyMatch(promise -> promise.doubt().mayBeLost());
        boolean only = broken.stream().allMatch(promise -> promise.doubt().mayBeLost()) && problems.isEmpty();
        String advice = "Put this right and start again.";
        if (lost) {
            advice += " If an SSD is lost for good, " + TierSettings.ON_MISSING
                    + "=truncate for one start gives up these "
                    + "segments and what comes after them in the same partitions, and replicas fetch them from their leaders.";
        }
        if (lost && !only) {
            advice += " It does not help where nothing is lost yet: those points have to be put right first.";
        }
        return advice;
    }
}
