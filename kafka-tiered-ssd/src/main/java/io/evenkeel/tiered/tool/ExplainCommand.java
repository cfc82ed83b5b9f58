/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.inspect.DiskProblem;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;

/** {@code explain}: where one segment is, why, and what happens next. Stateless. */
final class ExplainCommand implements Command {
    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "explain",
                "where one segment is, why, and what happens next",
                "Shows for one segment on which disk it is, why, what happens next, and what a broker without the"
                        + " tier would read. Name the segment by its file, or by its partition and an offset.",
                new ExplainCommand());
        parser.addArgument("segment")
                .metavar("SEGMENT")
                .help("a .log file, by its path on either disk or in a log directory:"
                        + " events-0/00000000000000000000.log; or a partition: events-0");
        parser.addArgument("offset")
                .metavar("OFFSET")
                .nargs("?")
                .type(Long.class)
                .help("with a partition: an offset in the segment");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        DiskSurvey survey = disks.survey();
        String name = options.getString("segment");
        Long offset = options.getLong("offset");
        Optional<SurveyedSegment> segment =
                offset == null ? byPath(disks, survey, name) : Optional.of(byOffset(survey, name, offset));
        if (segment.isPresent()) {
            Explanation explanation = Explanation.of(segment.get(), disks, survey);
            output.report(explanation);
            explanation.show(output);
            return CommandLine.OK;
        }
        StatusCommand.ProblemLine problem = StatusCommand.ProblemLine.of(problem(disks, survey, name));
        output.report(problem);
        StatusCommand.showProblems(List.of(problem), output);
        return CommandLine.FOUND;
    }

    private static Optional<SurveyedSegment> byPath(BrokerDisks disks, DiskSurvey survey, String name) {
        List<Path> paths = paths(disks, name);
        return survey.segments().stream()
                .filter(segment -> paths.contains(segment.path()) || paths.contains(segment.ssdFile()))
                .findFirst();
    }

    private static SurveyedSegment byOffset(DiskSurvey survey, String partition, long offset) throws IOException {
        List<SurveyedSegment> segments = survey.segments().stream()
                .filter(segment -> segment.partition().equals(partition) && segment.isLive())
                .toList();
        if (segments.isEmpty()) {
            throw new IOException("No log directory has a partition " + partition + "; check the name and --config");
        }
        return segments.stream()
                .filter(segment -> segment.baseOffset() <= offset)
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> new IOException("No segment of " + partition + " has offset " + offset + "; its"
                        + " log begins at offset "
                        + segments.get(0).baseOffset()));
    }

    private static DiskProblem problem(BrokerDisks disks, DiskSurvey survey, String name) throws IOException {
        List<Path> paths = paths(disks, name);
        return survey.problems().stream()
                .filter(problem -> paths.contains(problem.path()))
                .findFirst()
                .orElseThrow(() -> new IOException(
                        "No segment " + name + "; pass a .log file, or a partition such as events-0 and an offset"));
    }

    /** The paths that a name on the command line can mean. */
    private static List<Path> paths(BrokerDisks disks, String name) {
        return Stream.concat(
                        Stream.of(Path.of(name).toAbsolutePath()),
                        disks.logDirs().stream().map(LogDirMeta::path).map(dir -> dir.resolve(name)))
                .map(Path::normalize)
                .toList();
    }
}
