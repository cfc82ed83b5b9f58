/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.util.List;

/**
 * The tool's main class, which is also the main class of the jar. Stateless.
 *
 * <p>This class needs only the JDK, so that it can explain how to run the tool when Kafka's libraries are missing.
 */
public final class TieredSsdTool {
    private static final List<String> NEEDED = List.of(
            "net.sourceforge.argparse4j.ArgumentParsers",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "org.apache.kafka.clients.admin.Admin");

    private TieredSsdTool() {}

    /** Ends the JVM with the command's exit code. */
    public static void main(String[] arguments) {
        int exitCode;
        if (NEEDED.stream().allMatch(TieredSsdTool::isThere)) {
            exitCode = new CommandLine(System.out, System.err).run(arguments);
        } else {
            System.err.println("This tool needs Kafka's libraries: put the jar into Kafka's libs/ and run"
                    + " bin/kafka-run-class.sh " + TieredSsdTool.class.getName() + " --help");
            exitCode = CommandLine.CANNOT;
        }
        System.out.flush();
        System.exit(exitCode);
    }

    private static boolean isThere(String className) {
        try {
            Class.forName(className, false, TieredSsdTool.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
