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

/** Says why a broker does not start, all reasons at once, and what to do. Not thread safe; made for one start. */
final class StartRefusal {
    private static final int SHOWN_LINKS = 3;

    /** What links have in common that cannot be trusted for the same reason. */
    private record Cause(LinkFault fault, Path ssdDir) {}

    private final TierSettings settings;
    private final List<String> problems;
    private final List<BrokenLink> broken;

    StartRefusal(TierSettings settings, List<String> problems, List<BrokenLink> broken) {
        this.settings = settings;
        this.problems = List.copyOf(problems);
        this.broken = List.copyOf(broken);
    }

    /** True when the start can go on: there is nothing to refuse, or all that is wrong can be truncated. */
    boolean isAvertedBy(OnMissing onMissing) {
        return problems.isEmpty()
                && (broken.isEmpty() || onMissing == OnMissing.TRUNCATE)
                && broken.stream().allMatch(link -> link.fault().mayBeLost());
    }

    String message() {
        List<String> lines = new ArrayList<>();
        lines.add("The SSD tier cannot start, because the disks are not as the broker left them. Nothing has been"
                + " changed.");
        problems.forEach(problem -> lines.add("- " + problem));
        Map<Cause, List<BrokenLink>> causes = new LinkedHashMap<>();
        for (BrokenLink link : broken) {
            causes.computeIfAbsent(new Cause(link.fault(), link.ssdDir()), cause -> new ArrayList<>())
                    .add(link);
        }
        causes.forEach((cause, links) -> addTo(lines, cause, links));
        lines.add(advice());
        return String.join("\n", lines);
    }

    private void addTo(List<String> lines, Cause cause, List<BrokenLink> links) {
        lines.add("- " + text(cause) + " " + count(links));
        links.stream().limit(SHOWN_LINKS).forEach(link -> lines.add("    " + link.link() + " -> " + link.target()));
        if (links.size() > SHOWN_LINKS) {
            lines.add("    ...");
        }
    }

    private String text(Cause cause) {
        Path ssdDir = cause.ssdDir();
        return switch (cause.fault()) {
            case MISSING -> ssdDir + " is missing: there is no such directory. Is the SSD mounted?";
            case BLANK -> ssdDir + " is blank: it is an empty directory. Is the SSD mounted, or has it been replaced?";
            case STALE ->
                ssdDir + " is stale: the broker has started without it since, so its files are an old version. Is it"
                        + " an old image, or a copy?";
            case LACKING -> ssdDir + " lacks files that are only there.";
            case DROPPED -> ssdDir + ", where an SSD was, is no longer in " + TierSettings.DIRS + ", and not mounted.";
            case UNCONFIGURED ->
                ssdDir + ", where an SSD is, is no longer in " + TierSettings.DIRS + ". Put it back into the config.";
            case SWAPPED -> ssdDir + " holds another of this broker's SSDs than before. Are the mounts swapped?";
            case OUTSIDE ->
                "Links point outside " + TierSettings.DIRS.with(settings.ssdDirs())
                        + ". Is a directory missing from the config, or were links added to a log directory by hand?";
            case TWICE -> "Two links point to the same SSD file. Has a log directory been copied?";
            case PROBLEM -> ssdDir + " cannot be used, see above.";
        };
    }

    private static String count(List<BrokenLink> links) {
        long partitions = links.stream().map(BrokenLink::partition).distinct().count();
        return links.size()
                + (links.size() == 1 ? " segment of " : " segments of ")
                + partitions
                + (partitions == 1 ? " partition:" : " partitions:");
    }

    private String advice() {
        boolean lost = broken.stream().anyMatch(link -> link.fault().mayBeLost());
        boolean only = broken.stream().allMatch(link -> link.fault().mayBeLost()) && problems.isEmpty();
        String advice = "Correct this and start again.";
        if (lost) {
            advice += " If an SSD is lost for good, start once with " + TierSettings.ON_MISSING
                    + "=truncate: it truncates these partitions at the first missing segment, and the replicas fetch"
                    + " the records from their leaders.";
        }
        if (lost && !only) {
            advice += " It does not help where nothing is lost yet: correct those points first.";
        }
        return advice;
    }
}
