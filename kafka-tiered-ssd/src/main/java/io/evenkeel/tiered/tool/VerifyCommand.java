/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.inspect.CopyComparison;
import io.evenkeel.tiered.inspect.DiskProblem;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import org.jspecify.annotations.Nullable;

/** {@code verify}: compares both copies of each segment. Stateless. */
final class VerifyCommand implements Command {
    private static final Set<DiskProblem.Kind> MISSING =
            EnumSet.of(DiskProblem.Kind.DANGLING_LINK, DiskProblem.Kind.FOREIGN_LINK);

    /**
     * A problem that was found.
     *
     * @param kind DIFFERENT, UNREADABLE, DANGLING_LINK or FOREIGN_LINK
     */
    record Finding(String kind, String path, @Nullable String ssdFile, String detail) {}

    /**
     * The output of {@code --json}.
     *
     * @param same the number of segments with equal copies
     * @param sameBytes the bytes of one copy of each
     * @param changed the number of segments that a broker changed, evicted or deleted during the comparison
     * @param links the number of segments that are only on the SSD; their files exist
     */
    record Report(long same, long sameBytes, long changed, long links, List<Finding> findings) {}

    /** One run; not thread safe. */
    private static final class Run {
        private final CopyComparison comparison = new CopyComparison();
        private final List<SurveyedSegment> cached;
        private final Pace pace;
        private final List<Finding> findings = new ArrayList<>();
        private long compared;
        private long same;
        private long sameBytes;
        private long changed;

        Run(List<SurveyedSegment> cached, long bytesPerSecond, Output output) {
            this.cached = cached;
            this.pace = new Pace(
                    bytesPerSecond,
                    output,
                    () -> "compared " + compared + " of " + cached.size() + " segments, " + findings.size()
                            + " findings");
        }

        void compareAll() throws InterruptedException {
            for (SurveyedSegment segment : cached) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                compare(segment, Objects.requireNonNull(segment.ssdFile()));
                compared++;
            }
        }

        private void compare(SurveyedSegment segment, Path ssdFile) {
            try {
                CopyComparison.Outcome outcome = comparison.compare(segment.path(), ssdFile, pace::moved);
                switch (outcome.result()) {
                    case SAME -> {
                        same++;
                        sameBytes += segment.sizeBytes();
                    }
                    case DIFFERENT ->
                        found("DIFFERENT", segment, "the copies differ at or after byte " + outcome.atBytes());
                    case NOT_CACHED, CHANGING -> changed++;
                }
            } catch (IOException e) {
                found("UNREADABLE", segment, CommandLine.inOneLine(e));
            }
        }

        private void found(String kind, SurveyedSegment segment, String detail) {
            findings.add(new Finding(kind, segment.path().toString(), String.valueOf(segment.ssdFile()), detail));
        }
    }

    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "verify",
                "compare both copies of each segment",
                "Reads both copies of each CACHED segment with direct I/O and compares their CRC32C. Checks that each"
                        + " link points to a file. Ignores segments that a running broker changes, evicts or deletes"
                        + " during the check. Exit code 1 when it found a difference or a broken link.",
                new VerifyCommand());
        CommandLine.bytes(parser.addArgument("--bytes-per-second"))
                .help("read rate for both disks together (default: tiered.ssd.copy.bytes.per.second)");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        DiskSurvey survey = disks.survey();
        Long rate = options.getLong("bytes_per_second");
        Run run = new Run(
                survey.segments().stream()
                        .filter(segment -> segment.state() == SegmentState.CACHED)
                        .toList(),
                rate == null ? disks.settings().dynamic().copyCeiling(0) : rate,
                output);
        survey.problems().stream()
                .filter(problem -> MISSING.contains(problem.kind()))
                .forEach(problem -> run.findings.add(
                        new Finding(problem.kind().name(), problem.path().toString(), null, problem.detail())));
        run.compareAll();
        Report report =
                new Report(run.same, run.sameBytes, run.changed, survey.links().size(), List.copyOf(run.findings));
        output.report(report);
        show(report, output);
        return report.findings().isEmpty() ? CommandLine.OK : CommandLine.FOUND;
    }

    private static void show(Report report, Output output) {
        output.line("the same on both disks  " + Output.count(report.same(), "segment") + ", "
                + Output.size(report.sameBytes()) + " on each");
        output.line("changed meanwhile       " + Output.count(report.changed(), "segment"));
        output.line("on the SSD only         " + Output.count(report.links(), "segment") + ", not compared");
        output.line("findings                " + report.findings().size());
        for (Finding finding : report.findings()) {
            output.line("  " + finding.kind() + " " + finding.path() + ": " + finding.detail());
            if (finding.ssdFile() != null) {
                output.line("    SSD copy: " + finding.ssdFile());
            }
        }
        if (!report.findings().isEmpty()) {
            output.line("Use kafka-dump-log.sh to see which copy is intact.");
        }
    }
}
