/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Tells a broker from the command line tools, which inherit {@code KAFKA_OPTS} and with it the agent. Stateless.
 *
 * <p>A broker runs {@code kafka.Kafka}. The launcher's own record of that is the property {@code sun.java.command},
 * which starts with a class name, {@code module/class}, or the path after {@code -jar}.
 */
final class MainClass {
    private static final String BROKER = "kafka.Kafka";
    /** {@code kafka-topics.sh}. */
    private static final String TOPIC_TOOL = "org.apache.kafka.tools.TopicCommand";

    private MainClass() {}

    static boolean isBroker() {
        return is(BROKER);
    }

    static boolean isTopicTool() {
        return is(TOPIC_TOOL);
    }

    /** The arguments behind the main class on the command line, as one text: the launcher keeps no more than that. */
    static String arguments() {
        return arguments(System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""));
    }

    static String arguments(String command, String classPath) {
        return command.substring(
                        Math.min(command.length(), program(command, classPath).length()))
                .trim();
    }

    private static boolean is(String mainClass) {
        String command = System.getProperty("sun.java.command");
        return command != null
                ? is(mainClass, command, System.getProperty("java.class.path", ""))
                : List.of(ProcessHandle.current().info().arguments().orElse(new String[0]))
                        .contains(mainClass);
    }

    static boolean isBroker(String command, String classPath) {
        return is(BROKER, command, classPath);
    }

    private static boolean is(String mainClass, String command, String classPath) {
        String program = program(command, classPath);
        return mainClass.equals(
                program.endsWith(".jar")
                        ? manifestValue(program, "Main-Class")
                        : program.substring(program.indexOf('/') + 1));
    }

    /** The jar or the class that the command begins with. */
    private static String program(String command, String classPath) {
        // With -jar the class path starts with that jar; its name may hold spaces, so the command cannot be cut there.
        String jar = classPath.split(File.pathSeparator, 2)[0];
        return jar.endsWith(".jar") && (command + " ").startsWith(jar + " ") ? jar : command.split(" ", 2)[0];
    }

    /** An attribute of a jar's manifest; null when there is none, or no such jar. */
    static @Nullable String manifestValue(String jar, String attribute) {
        try (JarFile file = new JarFile(jar)) {
            Manifest manifest = file.getManifest();
            return manifest == null ? null : manifest.getMainAttributes().getValue(attribute);
        } catch (IOException e) {
            return null; // the launcher is about to fail on it as well
        }
    }
}
