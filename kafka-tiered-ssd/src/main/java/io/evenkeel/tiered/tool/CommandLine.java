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

/** The tool's commands and options, and what becomes of errors: one line, and exit code 2. Not thread safe. */
final class CommandLine {
    /** The command did what it is for, and nothing is wrong. */
    static final int OK = 0;
    /** The command did what it is for, and found something wrong. */
    static final int FOUND = 1;
    /** The command could not do what it is for. */
    static final int CANNOT = 2;

    private static final String COMMAND = "command";
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})\\s*([KMGT]iB)?");

    private final PrintStream out;
    private final PrintStream err;

    CommandLine(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs one command; answers the exit code. */
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
                .description(
                        "Shows and checks where the segments of a broker with the SSD tier are, and takes them off the"
                                + " SSD. What is where is read from the disks, so it is the same for a broker that runs and for one"
                                + " that does not. Run it on the broker's machine as the broker's user.")
                .epilog("Exit code: 0 when all is well, 1 when verify found a difference, 2 when the command could not"
                        + " do what it is for; then one line on stderr says why.");
        Subparsers commands =
                parser.addSubparsers().title("commands").metavar("COMMAND").dest("name");
        StatusCommand.define(commands);
        ExplainCommand.define(commands);
        VerifyCommand.define(commands);
        EvictionsCommand.define(commands);
        DrainCommand.define(commands);
        return parser;
    }

    /** A command with the options that all have. */
    static Subparser define(Subparsers commands, String name, String help, String description, Command command) {
        Subparser parser = commands.addParser(name).help(help).description(description);
        parser.addArgument("--config")
                .action(Arguments.append())
                .required(true)
                .metavar("FILE")
                .help(
                        "the broker's server.properties; again for a file that adds to it or overrides it, such as the one"
                                + " that the agent's argument config= names");
        parser.addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print JSON for programs: sizes in bytes, times in milliseconds since 1970");
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
                    "takes a number of bytes, such as 1000000 or 10GiB, not " + value, parser, option);
        }
        String unit = matcher.group(2);
        int power = unit == null ? 0 : 1 + "KMGT".indexOf(unit.charAt(0));
        return Long.parseLong(matcher.group(1)) * (1L << (10 * power));
    }

    static BrokerDisks disks(Namespace options) throws IOException {
        List<String> files = options.getList("config");
        return BrokerDisks.of(files.stream().map(Path::of).toList());
    }

    /** What an error says to the user. */
    static String inOneLine(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory: " + message;
        }
        if (failure instanceof AccessDeniedException) {
            return "no permission, is this the broker's user? " + message;
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
