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

                <!-- Generated from the hook points; `./mvnw -pl agent -am verify -Dupdate.docs` rewrites it. -->

                The agent changes %d methods and replaces %d classes of the broker in memory, before the broker loads
                them. It changes nothing else. Each method gets one call of ours before its own code, or after it, or
                both. No signature changes, and Kafka's jars are not touched.

                Before that, the agent looks up every method, every field and every Kafka class that our code uses in
                the class files of your broker. It also compares each class that it replaces with ours: each public,
                protected or package-private member of Kafka's class must be in ours, with the same type. If anything
                differs, the broker does not start, and a message names the difference. With `on.mismatch=skip` in the
                agent argument, the agent leaves the patch out instead and the broker runs as stock. If a class differs
                only when it loads, because another agent has changed it, the broker stops. In a JVM that is no broker
                (its main class is not `kafka.Kafka`) the agent does nothing, except that `kafka-topics.sh` gets the
                first of these methods.

                Two patches share the five methods that handle config. The agent changes each of them once, and refuses
                both patches if one of the five does not fit.

                To see the result, start the broker with `dump=<directory>` in the agent argument. The agent writes each
                class that it changes there. Read it with `javap -c -p`, and compare it with the one in Kafka's jar.
                """.formatted(methods(patches), replacedClasses(patches)));
        for (Patch patch : patches) {
            page.append("\n## ").append(patch.name()).append('\n');
            for (HookPoint hookPoint : patch.hookPoints()) {
                page.append("\n### %s\n\nThe patch %s.\n\n".formatted(hookPoint.name(), hookPoint.purpose()));
                page.append("| Kafka | method |\n| --- | --- |\n");
                versionsByMethod(hookPoint)
                        .forEach((method, versions) ->
                                page.append("| %s | `%s` |\n".formatted(String.join(", ", versions), method)));
                for (HookPoint.Field field : hookPoint.fields()) {
                    page.append("\nReads its field `%s`.\n".formatted(field));
                }
            }
            if (!patch.replacedClasses().isEmpty()) {
                page.append("\nClasses that the agent replaces with ours of the same name:\n\n");
                page.append("| Kafka | class | purpose | folder in the agent's jar |\n| --- | --- | --- | --- |\n");
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

    /** Methods that two patches change count once. */
    private static long methods(List<Patch> patches) {
        return patches.stream()
                .flatMap(patch -> patch.hookPoints().stream())
                .map(HookPoint::candidates)
                .distinct()
                .count();
    }

    private static long replacedClasses(List<Patch> patches) {
        return patches.stream()
                .mapToLong(patch -> patch.replacedClasses().size())
                .sum();
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
