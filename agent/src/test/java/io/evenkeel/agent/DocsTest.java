/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/hooks.md} equal to the hook points; {@code -Dupdate.docs} rewrites it. */
class DocsTest {
    @Test
    void theHooksPageIsUpToDate() throws IOException {
        GeneratedPage.check(
                "hooks.md",
                page(List.of(TieredSsdPatch.patch(), PurgatoryWheelPatch.patch(), FlushRatelimitPatch.patch())));
    }

    private static String page(List<Patch> patches) throws IOException {
        StringBuilder page = new StringBuilder("""
                # What is woven into your broker

                <!-- Generated from the hook points in agent/; `./mvnw -pl agent -am verify -Dupdate.docs` rewrites it. -->

                The agent changes the methods and replaces the classes below in memory, before the broker loads any of these classes, and nothing
                else. Each method gets one call of ours in front of its own code, or behind it, or both. No signature changes and no jar of
                Kafka's is touched.

                Before that, every method, every field and every Kafka class that our code uses is looked up in the class files of
                your broker, and a class that is to be replaced is compared with ours: each public, protected or package-private member of
                it must be in ours, with the same type. If one is not exactly as expected, the broker does not start and a message names it; with
                `on.mismatch=skip` in the agent argument the patch is left out and the broker runs as stock. A class that turns
                out different as it loads stops the broker. In any JVM but a broker (main class `kafka.Kafka`) the agent does nothing,
                except that `kafka-topics.sh` gets the first of these methods.

                To see the result, start the broker with `dump=<directory>` in the agent argument: each class that is woven is
                written there; read it with `javap -c -p`, and the one in Kafka's jar beside it.
                """);
        for (Patch patch : patches) {
            page.append("\n## ").append(patch.name()).append('\n');
            for (HookPoint hookPoint : patch.hookPoints()) {
                page.append("\n### %s\n\nWhy: %s.\n\n".formatted(hookPoint.name(), hookPoint.purpose()));
                page.append("| Kafka | method |\n| --- | --- |\n");
                versionsByMethod(hookPoint)
                        .forEach((method, versions) ->
                                page.append("| %s | `%s` |\n".formatted(String.join(", ", versions), method)));
                for (HookPoint.Field field : hookPoint.fields()) {
                    page.append("\nReads its field `%s`.\n".formatted(field));
                }
            }
            if (!patch.replacedClasses().isEmpty()) {
                page.append("\nClasses replaced whole, by ours of the same name in the agent's jar:\n\n");
                page.append("| Kafka | class | why: it … | in the jar |\n| --- | --- | --- | --- |\n");
                for (ReplacedClass replaced : patch.replacedClasses()) {
                    foldersByVersion(patch, replaced)
                            .forEach((folder, versions) -> page.append("| %s | `%s` | %s | `%s` |\n"
                                    .formatted(
                                            String.join(", ", versions), replaced.name(), replaced.purpose(), folder)));
                }
            }
        }
        return page.toString();
    }

    private static Map<HookPoint.Method, List<String>> versionsByMethod(HookPoint hookPoint) throws IOException {
        Map<HookPoint.Method, List<String>> versions = new LinkedHashMap<>();
        for (String version : KafkaJars.versions()) {
            try (KafkaJars jars = KafkaJars.of(version)) {
                for (HookPoint.Method method : hookPoint.in(new ClassFiles(jars)::type)) {
                    versions.computeIfAbsent(method, key -> new ArrayList<>()).add(version);
                }
            }
        }
        return versions;
    }

    private static Map<String, List<String>> foldersByVersion(Patch patch, ReplacedClass replaced) throws IOException {
        Map<String, List<String>> versions = new LinkedHashMap<>();
        for (String version : KafkaJars.versions()) {
            try (KafkaJars jars = KafkaJars.of(version)) {
                String folder =
                        Replacement.find(patch, replaced, new ClassFiles(jars)).folder();
                versions.computeIfAbsent(folder, key -> new ArrayList<>()).add(version);
            }
        }
        return versions;
    }
}
