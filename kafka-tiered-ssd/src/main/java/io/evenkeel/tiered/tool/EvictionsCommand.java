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

/** {@code evictions}: what would leave the SSDs next. Stateless. */
final class EvictionsCommand implements Command {
    /** A segment that would leave, and what is used when it has left. */
    record Eviction(String path, long bytes, long lastModifiedMs, long usedAfterBytes) {}

    /**
     * One SSD directory.
     *
     * @param usedBytes held and promised, as the broker reckons
     * @param isDue true when a broker would begin to evict now
     * @param segments in the order in which they would leave
     * @param isEnough false when all that may leave does not get down to {@code downToBytes}
     */
    record SsdLine(
            String path,
            long usedBytes,
            long highWatermarkBytes,
            boolean isDue,
            long downToBytes,
            List<Eviction> segments,
            boolean isEnough) {}

    /** What {@code --json} prints. */
    record Report(List<SsdLine> ssds) {}

    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "evictions",
                "what would leave the SSD next",
                "Shows which segments would leave each SSD, and in which order, to get from what is used down to the low"
                        + " watermark; nothing is evicted. Only CACHED segments may leave, and the oldest data goes first. What"
                        + " is promised to segments that are appended to counts as used; it is reckoned with log.segment.bytes."
                        + " Watermarks are those of the file, not what kafka-configs.sh may have set.",
                new EvictionsCommand());
        CommandLine.bytes(parser.addArgument("--bytes"))
                .help("show what would leave each SSD to free this much instead");
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
        long usedBytes = Objects.requireNonNull(survey.usedBytes().get(ssd)) + disks.promisedBytes(survey, ssd);
        long downToBytes = bytes == null ? disks.lowWatermarkBytes() : Math.max(0, usedBytes - bytes);
        List<Eviction> leaving = new ArrayList<>();
        long leftBytes = usedBytes;
        for (SurveyedSegment segment : survey.nextToLeave(ssd, usedBytes, downToBytes)) {
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
        output.line(ssd.path() + ": " + Output.size(ssd.usedBytes()) + " used or promised; eviction begins above "
                + Output.size(ssd.highWatermarkBytes()) + (ssd.isDue() ? ", so it is due." : ", so it is not due."));
        if (!ssd.segments().isEmpty()) {
            Table table = new Table("LEAVES", "SIZE", "LAST WRITE", "THEN USED");
            for (Eviction segment : ssd.segments()) {
                table.row(
                        segment.path(),
                        Output.size(segment.bytes()),
                        Output.time(segment.lastModifiedMs()),
                        Output.size(segment.usedAfterBytes()));
            }
            output.table(table);
        } else if (ssd.isEnough()) {
            output.line("Nothing has to leave to get down to " + Output.size(ssd.downToBytes()) + ".");
        }
        if (!ssd.isEnough()) {
            output.line("More may not leave: all else is not complete on the HDD yet, or promised to newest segments.");
        }
    }
}
