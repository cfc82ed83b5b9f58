/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import net.sourceforge.argparse4j.internal.HelpScreenException;
import org.apache.kafka.common.KafkaException;

/** The tool's commands and options. An error becomes one line on stderr and exit code 2. Not thread safe. */
final class CommandLine {
    /** The command succeeded and found nothing wrong. */
    static final int OK = 0;
    /** The command succeeded and found something wrong. */
    static final int FOUND = 1;
    /** The command failed. */
    static final int CANNOT = 2;

    private static final String COMMAND = "command";
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})\\s*([KMGT]iB)?");

    private final PrintStream out;
    private final PrintStream err;

    CommandLine(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs one command; returns the exit code. */
    int run(String... arguments) {
        try {
            Namespace options = parser().parseArgs(arguments);
            Command command = options.get(COMMAND);
            return command.run(options, new Output(out, err, options.getBoolean("json")));
        } catch (HelpScreenException e) {
            return OK;
        } catch (ArgumentParserException e) {
            err.println(inOneLine(e) + "; see --help");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("interrupted");
        } catch (IOException | KafkaException | IllegalArgumentException e) {
            err.println(inOneLine(e));
        }
        return CANNOT;
    }

    static ArgumentParser parser() {
        ArgumentParsers.setTerminalWidthDetection(false); // the same text everywhere
        ArgumentParser parser = ArgumentParsers.newArgumentParser("tiered-ssd")
                .description("Checks whether a broker is ready for the SSD tier, shows where its segments are, checks"
                        + " them, and moves them off the SSD. It reads the disks, so it works on a running and on a"
                        + " stopped broker. Run it on the broker's machine as the broker's user.")
                .epilog("Exit code: 0 for success, 1 when preflight found something wrong, verify found a difference"
                        + " or explain was given a file that is not a segment, 2 when the command failed; one"
                        + " line on stderr then says why.");
        Subparsers commands =
                parser.addSubparsers().title("commands").metavar("COMMAND").dest("name");
        PreflightCommand.define(commands);
        StatusCommand.define(commands);
        ExplainCommand.define(commands);
        VerifyCommand.define(commands);
        EvictionsCommand.define(commands);
        DrainCommand.define(commands);
        SizeCommand.define(commands);
        return parser;
    }

    /** Defines a command with the options that all commands on a broker have. */
    static Subparser define(Subparsers commands, String name, String help, String description, Command command) {
        Subparser parser = commands.addParser(name).help(help).description(description);
        parser.addArgument("--config")
                .action(Arguments.append())
                .required(true)
                .metavar("FILE")
                .help("the broker's server.properties; repeat it for a file that adds to it or overrides it, such as"
                        + " the file that the agent's argument config= names");
        return complete(parser, command);
    }

    /** Defines a command that needs no broker's config. */
    static Subparser defineWithoutBroker(
            Subparsers commands, String name, String help, String description, Command command) {
        return complete(commands.addParser(name).help(help).description(description), command);
    }

    private static Subparser complete(Subparser parser, Command command) {
        parser.addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print JSON: sizes in bytes, times in milliseconds since 1970");
        parser.setDefault(COMMAND, command);
        return parser;
    }

    static Argument bytes(Argument argument) {
        return argument.metavar("BYTES").type((parser, option, value) -> parseBytes(parser, option, value));
    }

    private static Long parseBytes(ArgumentParser parser, Argument option, String value)
            throws ArgumentParserException {
        Matcher matcher = BYTES.matcher(value);
        if (!matcher.matches()) {
            throw new ArgumentParserException(
                    "expected a number of bytes, such as 1000000 or 10GiB, but got " + value, parser, option);
        }
        String unit = matcher.group(2);
        int power = unit == null ? 0 : 1 + "KMGT".indexOf(unit.charAt(0));
        return Long.parseLong(matcher.group(1)) * (1L << (10 * power));
    }

    static BrokerDisks disks(Namespace options) throws IOException {
        return BrokerDisks.of(configs(options));
    }

    static List<Path> configs(Namespace options) {
        List<String> files = options.getList("config");
        return files.stream().map(Path::of).toList();
    }

    /** The message of an error, for the user. */
    static String inOneLine(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory: " + message;
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied; run the tool as the broker's user: " + message;
        }
        boolean saysLittle = failure.getMessage() == null
                || failure instanceof NumberFormatException
                || (failure instanceof FileSystemException onFile && onFile.getReason() == null);
        return saysLittle ? failure.toString() : message;
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
