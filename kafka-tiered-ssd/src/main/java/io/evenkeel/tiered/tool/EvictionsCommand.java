/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import org.jspecify.annotations.Nullable;

/** {@code evictions}: the segments that would be evicted next. Stateless. */
final class EvictionsCommand implements Command {
    /** A segment that would be evicted, and the used bytes after that. */
    record Eviction(String path, long bytes, long lastModifiedMs, long usedAfterBytes) {}

    /**
     * One SSD directory.
     *
     * @param usedBytes written, as the broker counts
     * @param isDue true when the broker would evict now
     * @param segments in the order of their eviction
     * @param isEnough false when evicting all evictable segments does not get down to {@code downToBytes}
     */
    record SsdLine(
            String path,
            long usedBytes,
            long highWatermarkBytes,
            boolean isDue,
            long downToBytes,
            List<Eviction> segments,
            boolean isEnough) {}

    /** The output of {@code --json}. */
    record Report(List<SsdLine> ssds) {}

    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "evictions",
                "the segments that would be evicted next",
                "Shows which segments the broker would evict from each SSD, and in which order, to get down to the"
                        + " low watermark. The command evicts nothing. Only CACHED segments can be evicted, the"
                        + " oldest data first. The watermarks are those of the config file, not those set with"
                        + " kafka-configs.sh.",
                new EvictionsCommand());
        CommandLine.bytes(parser.addArgument("--bytes"))
                .help("show what would be evicted to free this amount on each SSD instead");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        DiskSurvey survey = disks.survey();
        Long bytes = options.getLong("bytes");
        Report report = new Report(disks.settings().ssdDirs().stream()
                .map(ssd -> line(disks, survey, ssd, bytes))
                .toList());
        output.report(report);
        report.ssds().forEach(ssd -> show(ssd, output));
        return CommandLine.OK;
    }

    private static SsdLine line(BrokerDisks disks, DiskSurvey survey, Path ssd, @Nullable Long bytes) {
        long usedBytes = Objects.requireNonNull(survey.usedBytes().get(ssd));
        long downToBytes = bytes == null ? disks.lowWatermarkBytes() : Math.max(0, usedBytes - bytes);
        long nowMs = System.currentTimeMillis();
        List<Eviction> leaving = new ArrayList<>();
        long leftBytes = usedBytes;
        for (SurveyedSegment segment : survey.nextEvictions(ssd, usedBytes, downToBytes, nowMs)) {
            leftBytes -= segment.sizeBytes();
            leaving.add(
                    new Eviction(segment.path().toString(), segment.sizeBytes(), segment.lastModifiedMs(), leftBytes));
        }
        return new SsdLine(
                ssd.toString(),
                usedBytes,
                disks.highWatermarkBytes(),
                usedBytes > disks.highWatermarkBytes(),
                downToBytes,
                leaving,
                leftBytes <= downToBytes);
    }

    private static void show(SsdLine ssd, Output output) {
        output.line(ssd.path() + ": " + Output.size(ssd.usedBytes()) + " used; eviction begins above "
                + Output.size(ssd.highWatermarkBytes()) + (ssd.isDue() ? ", so it is due." : ", so it is not due."));
        if (!ssd.segments().isEmpty()) {
            Table table = new Table("SEGMENT", "SIZE", "LAST WRITE", "USED AFTERWARDS");
            for (Eviction segment : ssd.segments()) {
                table.row(
                        segment.path(),
                        Output.size(segment.bytes()),
                        Output.time(segment.lastModifiedMs()),
                        Output.size(segment.usedAfterBytes()));
            }
            output.table(table);
        } else if (ssd.isEnough()) {
            output.line("No segment has to be evicted to get down to " + Output.size(ssd.downToBytes()) + ".");
        }
        if (!ssd.isEnough()) {
            output.line("No other segment can be evicted: the rest is not copied to the HDD yet.");
        }
    }
}
