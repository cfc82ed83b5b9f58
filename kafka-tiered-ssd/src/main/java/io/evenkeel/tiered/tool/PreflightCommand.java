/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.tool.preflight.Finding;
import io.evenkeel.tiered.tool.preflight.KafkaFit;
import io.evenkeel.tiered.tool.preflight.Preflight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparsers;

/** {@code preflight}: whether a broker would start with the patches. Stateless. */
final class PreflightCommand implements Command {
    /** The output of {@code --json}. */
    record Report(boolean ready, List<Finding> findings) {
        static Report of(List<Finding> findings) {
            return new Report(count(findings, Finding.Level.WRONG) == 0, findings);
        }
    }

    static void define(Subparsers commands) {
        CommandLine.define(
                commands,
                "preflight",
                "whether a broker would start with the patches",
                "Checks that the patches fit this Kafka, that the config has no mistake, and that the disks are as a"
                        + " start needs them. Changes nothing, so a broker may run meanwhile. Prints a line for each"
                        + " check, and at the end whether the broker is ready. A warning does not keep the broker from"
                        + " starting. Exit code 1 when something is wrong.",
                new PreflightCommand());
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        Map<String, Object> values = BrokerDisks.read(CommandLine.configs(options));
        List<Finding> findings = new ArrayList<>();
        findings.add(KafkaFit.check(values));
        findings.addAll(Preflight.run(values));
        Report report = Report.of(findings);
        output.report(report);
        show(report, output);
        return report.ready() ? CommandLine.OK : CommandLine.FOUND;
    }

    static void show(Report report, Output output) {
        for (Finding finding : report.findings()) {
            String level = finding.level() == Finding.Level.WRONG
                    ? finding.level().name()
                    : CommandLine.lowerCase(finding.level());
            output.line(String.format("%-7s  %s: %s", level, finding.subject(), finding.text())
                    .replace("\n", "\n           "));
        }
        long warnings = count(report.findings(), Finding.Level.WARNING);
        if (report.ready()) {
            output.line(warnings == 0 ? "ready" : "ready, with " + Output.count(warnings, "warning"));
        } else {
            output.line("not ready: correct what is WRONG above, and run this again");
        }
    }

    private static long count(List<Finding> findings, Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }
}
