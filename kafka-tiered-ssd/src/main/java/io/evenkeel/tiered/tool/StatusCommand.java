/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.inspect.DiskProblem;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import org.jspecify.annotations.Nullable;

/** {@code status}: the segments on each disk, and problems. Stateless. */
final class StatusCommand implements Command {
    private static final int SHOWN_PROBLEMS = 20;
    /** Segments and their bytes. */
    record Amount(long segments, long bytes) {
        static Amount of(Collection<SurveyedSegment> segments) {
            return new Amount(
                    segments.size(),
                    segments.stream().mapToLong(SurveyedSegment::sizeBytes).sum());
        }
    }

    /** Live segments by state, and segments that wait to be deleted. */
    record Amounts(Amount onlyCache, Amount cached, Amount withoutCache, Amount toBeDeleted) {
        static Amounts of(Collection<SurveyedSegment> segments) {
            return new Amounts(
                    live(segments, SegmentState.ONLY_CACHE),
                    live(segments, SegmentState.CACHED),
                    live(segments, SegmentState.WITHOUT_CACHE),
                    Amount.of(segments.stream()
                            .filter(segment -> !segment.isLive())
                            .toList()));
        }

        private static Amount live(Collection<SurveyedSegment> segments, SegmentState state) {
            return Amount.of(segments.stream()
                    .filter(segment -> segment.isLive() && segment.state() == state)
                    .toList());
        }

        /** The cells of a row; the last two only when there is a column for them. */
        List<Object> cells(boolean withToBeDeleted) {
            List<Object> cells = new ArrayList<>();
            List<Amount> all = List.of(onlyCache, cached, withoutCache, toBeDeleted);
            for (Amount amount : withToBeDeleted ? all : all.subList(0, 3)) {
                cells.add(amount.segments());
                cells.add(Output.size(amount.bytes()));
            }
            return cells;
        }
    }

    /** One log directory. */
    record LogDirLine(String path, String directoryId, Amounts amounts) {}

    /**
     * One SSD directory.
     *
     * @param usedBytes the bytes of its files
     * @param reservedBytes the space reserved for active segments, estimated from log.segment.bytes
     */
    record SsdLine(
            String path,
            long usedBytes,
            long reservedBytes,
            long capacityBytes,
            long lowWatermarkBytes,
            long highWatermarkBytes,
            long fileSystemFreeBytes) {}

    /** One partition in one log directory. */
    record PartitionLine(String partition, String logDir, Amounts amounts) {}

    /** A problem. */
    record ProblemLine(String kind, String path, String detail, String meaning) {
        static ProblemLine of(DiskProblem problem) {
            return new ProblemLine(
                    problem.kind().name(),
                    problem.path().toString(),
                    problem.detail(),
                    problem.kind().meaning());
        }
    }

    /**
     * The output of {@code --json}.
     *
     * @param partitions null unless requested
     * @param hddReads null without {@code --jmx}
     * @param shadow null without {@code --jmx}
     */
    record Report(
            List<LogDirLine> logDirs,
            List<SsdLine> ssds,
            @Nullable List<PartitionLine> partitions,
            @Nullable HddReads hddReads,
            @Nullable ShadowGain shadow,
            List<ProblemLine> problems) {}

    /** What a running broker says; null without {@code --jmx}. */
    private record Live(
            @Nullable HddReads hddReads, @Nullable ShadowGain shadow) {}

    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "status",
                "the segments on each disk, and problems",
                "Shows for each log directory the number of segments in each state: ONLY_CACHE is on the SSD only,"
                        + " CACHED on both disks, WITHOUT_CACHE on the HDD only. Shows for each SSD how full it is,"
                        + " and lists problems on the disks. With --jmx, shows as well which clients of the running"
                        + " broker read from its HDDs now, and what patches in the shadow would have done.",
                new StatusCommand());
        parser.addArgument("--partitions").action(Arguments.storeTrue()).help("add a line for each partition");
        parser.addArgument("--topic").metavar("TOPIC").help("add a line for each partition of this topic");
        parser.addArgument("--jmx")
                .metavar("HOST:PORT")
                .help("the broker runs, and this is its JMX: localhost and its JMX_PORT");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        DiskSurvey survey = disks.survey();
        String topic = options.getString("topic");
        Live live = live(disks, options.getString("jmx"));
        boolean wantsPartitions = options.getBoolean("partitions") || topic != null;
        Report report = new Report(
                disks.logDirs().stream().map(dir -> line(survey, dir)).toList(),
                disks.settings().ssdDirs().stream()
                        .map(ssd -> line(disks, survey, ssd))
                        .toList(),
                wantsPartitions ? partitions(survey, topic) : null,
                live.hddReads(),
                live.shadow(),
                survey.problems().stream().map(ProblemLine::of).toList());
        output.report(report);
        show(report, output);
        return CommandLine.OK;
    }

    private static Live live(BrokerDisks disks, @Nullable String jmx) throws IOException, InterruptedException {
        if (jmx == null) {
            return new Live(null, null);
        }
        try (RunningBroker broker = RunningBroker.connect(disks, jmx)) {
            return new Live(HddReads.of(broker, disks.settings().coldReadBufferBytes()), ShadowGain.of(broker));
        }
    }

    private static LogDirLine line(DiskSurvey survey, LogDirMeta logDir) {
        List<SurveyedSegment> segments = survey.segments().stream()
                .filter(segment -> segment.logDir().equals(logDir.path()))
                .toList();
        return new LogDirLine(logDir.path().toString(), logDir.directoryId(), Amounts.of(segments));
    }

    private static SsdLine line(BrokerDisks disks, DiskSurvey survey, Path ssd) {
        return new SsdLine(
                ssd.toString(),
                Objects.requireNonNull(survey.usedBytes().get(ssd)),
                disks.reservedBytes(survey, ssd),
                disks.settings().capacityBytes(),
                disks.lowWatermarkBytes(),
                disks.highWatermarkBytes(),
                ssd.toFile().getUsableSpace());
    }

    private static List<PartitionLine> partitions(DiskSurvey survey, @Nullable String topic) throws IOException {
        Map<Path, List<SurveyedSegment>> byDir = survey.segments().stream()
                .filter(segment -> topic == null || isOf(topic, segment.partition()))
                .collect(Collectors.groupingBy(
                        segment -> segment.path().resolveSibling(""), LinkedHashMap::new, Collectors.toList()));
        if (topic != null && byDir.isEmpty()) {
            throw new IOException("No log directory has a partition of " + topic + "; check the name and --config");
        }
        return byDir.values().stream()
                .map(segments -> new PartitionLine(
                        segments.get(0).partition(), segments.get(0).logDir().toString(), Amounts.of(segments)))
                .toList();
    }

    private static boolean isOf(String topic, String partition) {
        return partition.startsWith(topic + "-")
                && partition.substring(topic.length() + 1).matches("\\d+(\\..*)?");
    }

    private static void show(Report report, Output output) {
        boolean toBeDeleted = report.logDirs().stream()
                .anyMatch(line -> line.amounts().toBeDeleted().segments() > 0);
        Table logDirs = new Table(titles(toBeDeleted, "LOG DIRECTORY"));
        report.logDirs().forEach(line -> logDirs.row(with(line.amounts().cells(toBeDeleted), line.path())));
        output.table(logDirs);
        Table ssds = new Table("SSD DIRECTORY", "USED", "RESERVED", "CAPACITY", "EVICTS ABOVE", "DOWN TO", "DISK FREE");
        for (SsdLine line : report.ssds()) {
            ssds.row(
                    line.path(),
                    Output.size(line.usedBytes()),
                    Output.size(line.reservedBytes()),
                    Output.size(line.capacityBytes()),
                    Output.size(line.highWatermarkBytes()),
                    Output.size(line.lowWatermarkBytes()),
                    Output.size(line.fileSystemFreeBytes()));
        }
        output.table(ssds);
        if (report.partitions() != null) {
            Table partitions = new Table(titles(toBeDeleted, "PARTITION", "LOG DIRECTORY"));
            report.partitions()
                    .forEach(line ->
                            partitions.row(with(line.amounts().cells(toBeDeleted), line.partition(), line.logDir())));
            output.table(partitions);
        }
        if (report.hddReads() != null) {
            report.hddReads().show(output);
        }
        if (report.shadow() != null) {
            report.shadow().show(output);
        }
        showProblems(report.problems(), output);
    }

    private static Object[] titles(boolean toBeDeleted, String... first) {
        List<Object> titles =
                List.of("ONLY_CACHE", "SIZE", "CACHED", "SIZE", "WITHOUT_CACHE", "SIZE", "TO BE DELETED", "SIZE");
        return with(toBeDeleted ? titles : titles.subList(0, 6), first);
    }

    private static Object[] with(List<Object> cells, String... first) {
        return Stream.concat(Stream.of(first), cells.stream()).toArray();
    }

    static void showProblems(List<ProblemLine> problems, Output output) {
        if (problems.isEmpty()) {
            output.line("No problems.");
            return;
        }
        output.line(Output.count(problems.size(), "problem") + ":");
        problems.stream().limit(SHOWN_PROBLEMS).forEach(problem -> {
            output.line("  " + problem.kind() + " " + problem.path() + ": " + problem.detail());
            output.line("    " + problem.meaning());
        });
        if (problems.size() > SHOWN_PROBLEMS) {
            output.line("  and " + (problems.size() - SHOWN_PROBLEMS) + " more; --json lists all");
        }
    }
}
