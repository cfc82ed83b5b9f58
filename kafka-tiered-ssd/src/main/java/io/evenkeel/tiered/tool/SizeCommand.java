/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import io.evenkeel.tiered.sizing.DayReport;
import io.evenkeel.tiered.sizing.Load;
import io.evenkeel.tiered.sizing.Machine;
import io.evenkeel.tiered.sizing.Policy;
import io.evenkeel.tiered.sizing.Replay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;

/** {@code size}: what a broker's disks would do in a day. Stateless. */
final class SizeCommand implements Command {
    private static final Pattern LAG = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%:(\\d{1,6})-(\\d{1,6})");

    /**
     * The output of {@code --json}.
     *
     * @param breaksAtBytesPerSecond the highest inflow that the tier can take, as far as it was tried
     */
    record Report(List<DayReport> policies, long breaksAtBytesPerSecond) {}

    static void define(Subparsers commands) {
        Subparser parser = CommandLine.defineWithoutBroker(
                commands,
                "size",
                "what a broker's disks would do in a day",
                "Replays a day of appends and reads in virtual time, with the decisions of the broker's own tier, and"
                        + " with other policies to compare. Needs no broker. The inflow is steady, so give that of the"
                        + " busiest hour, with replication.",
                new SizeCommand());
        CommandLine.bytes(parser.addArgument("--inflow"))
                .required(true)
                .help("appended to this broker per second, as leader and as follower");
        parser.addArgument("--partitions")
                .type(Integer.class)
                .required(true)
                .metavar("N")
                .help("replicas of this broker");
        CommandLine.bytes(parser.addArgument("--segment")).setDefault(1L << 30).help("default: 1GiB");
        parser.addArgument("--fan-out")
                .type(Double.class)
                .setDefault(2.0)
                .metavar("N")
                .help("how often each byte is read, by consumers and followers; default: 2");
        parser.addArgument("--lag")
                .setDefault(List.of())
                .nargs("*")
                .metavar("SHARE:FROM-TO")
                .help("readers that lag: the share of the reads, and between which minutes, such as 20%:8-150");
        CommandLine.bytes(parser.addArgument("--page-cache")).setDefault(0L).help("memory for files; default: 0");
        parser.addArgument("--ssds").type(Integer.class).required(true).metavar("N");
        CommandLine.bytes(parser.addArgument("--ssd-capacity"))
                .required(true)
                .help("tiered.ssd.capacity.bytes, of each SSD");
        CommandLine.bytes(parser.addArgument("--ssd-speed"))
                .setDefault(500L << 20)
                .help("default: 500MiB per second");
        parser.addArgument("--hdds").type(Integer.class).required(true).metavar("N");
        CommandLine.bytes(parser.addArgument("--hdd-speed"))
                .setDefault(100L << 20)
                .help("default: 100MiB per second");
    }

    @Override
    public int run(Namespace options, Output output) {
        Load load = new Load(
                options.getLong("inflow"),
                options.getDouble("fan_out"),
                lags(options.getList("lag")),
                options.getInt("partitions"),
                options.getLong("segment"));
        Machine machine = new Machine(
                options.getLong("page_cache"),
                options.getInt("ssds"),
                options.getLong("ssd_capacity"),
                options.getLong("ssd_speed"),
                options.getInt("hdds"),
                options.getLong("hdd_speed"));
        DynamicTierSettings settings = defaults(machine.ssdBytes());
        List<DayReport> days = new ArrayList<>();
        for (Policy policy : Policy.values()) {
            output.progress("replaying: " + policy);
            days.add(Replay.day(policy, load, machine, settings));
        }
        output.progress("replaying: the inflow at which it breaks");
        long breaksAt = (long) (Replay.breakingPoint(load, machine, settings) * load.bytesPerSecond());
        Report report = new Report(days, breaksAt);
        output.report(report);
        show(report, output);
        return CommandLine.OK;
    }

    private static List<Load.Lag> lags(List<String> texts) {
        List<Load.Lag> lags = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = LAG.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("--lag must be such as 20%:8-150, but is " + text);
            }
            lags.add(new Load.Lag(
                    Double.parseDouble(matcher.group(1)) / 100,
                    TimeUnit.MINUTES.toSeconds(Long.parseLong(matcher.group(2))),
                    TimeUnit.MINUTES.toSeconds(Long.parseLong(matcher.group(3)))));
        }
        return lags;
    }

    /** The defaults of a broker with such SSDs. */
    private static DynamicTierSettings defaults(long capacityBytes) {
        Map<String, String> config = Map.of(
                TierSettings.DIRS.name(), "/ssd", TierSettings.CAPACITY_BYTES.name(), Long.toString(capacityBytes));
        return Objects.requireNonNull(TieredSsdConfig.parse(config)).dynamic();
    }

    private static void show(Report report, Output output) {
        Table table = new Table(
                "POLICY",
                "HOURS ON SSD",
                "LEAST",
                "MEMORY %",
                "SSD %",
                "HDD %",
                "EVICTIONS",
                "DWPD",
                "SSD BUSY %",
                "HDD BUSY %",
                "COPY HEAD-ROOM");
        for (DayReport day : report.policies()) {
            table.row(
                    day.policy(),
                    number(day.hoursOnSsd()),
                    number(day.leastHoursOnSsd()),
                    percent(day.fromMemory()),
                    percent(day.fromSsd()),
                    percent(day.fromHdd()),
                    day.evictions(),
                    number(day.driveWritesPerDay()),
                    percent(day.ssdBusy()),
                    percent(day.hddBusy()),
                    day.copyHeadroom() == 0 ? "-" : number(day.copyHeadroom()));
        }
        output.table(table);
        for (DayReport day : report.policies()) {
            if (!day.breaksBecause().isEmpty()) {
                output.line(day.policy() + ": too much: " + day.breaksBecause());
            }
        }
        output.line(
                report.breaksAtBytesPerSecond() == 0
                        ? "The tier cannot take this inflow."
                        : "The tier can take an inflow of " + Output.size(report.breaksAtBytesPerSecond())
                                + " per second.");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}
