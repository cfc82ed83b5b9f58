/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplacementTest {
    private static final String TIMER = "org.apache.kafka.server.util.timer.SystemTimer";
    private static final String TASK = "org.apache.kafka.server.util.timer.TimerTask";
    private static final String OPERATION = "org.apache.kafka.server.purgatory.DelayedOperation";
    private static final String PURGATORY = "org.apache.kafka.server.purgatory.DelayedOperationPurgatory";
    private static final Patch PATCH = PurgatoryWheelPatch.patch();

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void ourClassesHaveAllOfTheApiOfEverySupportedVersion(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            Weaver.Fit fit = check(jars);
            assertThat(fit.sites()).isEmpty();
            assertThat(fit.replacements().stream().map(Replacement::owner))
                    .containsExactlyInAnyOrder(TASK, TIMER, OPERATION, OPERATION + "$Action", PURGATORY);
            for (Replacement replacement : fit.replacements()) {
                ClassFile stock = ClassFile.read(jars.bytes(replacement.owner()));
                assertThat(Api.missing(stock, replacement.classFile())).isEmpty();
                assertThat(stock.methods()).as("something to compare").isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void anOperationOf40BringsItsOwnLock(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            String lock = version.startsWith("4.0.") ? "Lock" : "ReentrantLock";
            assertThat(check(jars).replacements().stream()
                            .filter(replacement -> replacement.owner().equals(OPERATION))
                            .flatMap(replacement -> replacement.classFile().fields().stream())
                            .filter(field -> field.name().equals("lock"))
                            .map(ClassFile.Member::descriptor))
                    .containsExactly("Ljava/util/concurrent/locks/" + lock + ";");
        }
    }

    /**
     * What we add to a class must not be overridden by accident, nor hide anything: in no class of Kafka's below it.
     */
    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void nothingThatWeAddHasANamesakeInASubclassOfKafkas(String version) throws IOException {
        try (KafkaJars jars = KafkaJars.of(version)) {
            Map<String, ClassFile> ours = new HashMap<>();
            check(jars).replacements().forEach(found -> ours.put(found.owner(), found.classFile()));
            ClassFiles classFiles = new ClassFiles(jars).with(ours.values());
            Set<String> added = Stream.of(TASK, OPERATION)
                    .flatMap(name -> added(name, classFiles, jars))
                    .collect(toSet());
            List<ClassFile> subclasses = kafkas(jars).stream()
                    .map(name -> requireNonNull(classFiles.type(name)))
                    .filter(type -> !ours.containsKey(type.name()) && isBelow(type, TASK, classFiles))
                    .toList();
            assertThat(added).contains("isPending ()Z", "heldBy (L" + TIMER.replace('.', '/') + ";)V");
            assertThat(subclasses).hasSizeGreaterThan(10);
            assertThat(subclasses.stream()
                            .flatMap(type -> type.methods().stream())
                            .map(ReplacementTest::signature))
                    .doesNotContainAnyElementsOf(added);
        }
    }

    private static Stream<String> added(String name, ClassFiles classFiles, KafkaJars jars) {
        Set<String> stock = ClassFile.read(jars.bytes(name)).methods().stream()
                .map(ReplacementTest::signature)
                .collect(toSet());
        return hierarchy(requireNonNull(classFiles.type(name)), classFiles)
                .filter(type -> type.name().equals(name) || type.name().startsWith("io.evenkeel."))
                .flatMap(type -> type.methods().stream().filter(method -> canBeOverridden(method, type)))
                .map(ReplacementTest::signature)
                .filter(signature -> !stock.contains(signature));
    }

    /** By a class of Kafka's; what only our own packages see has nothing to do with a namesake in another. */
    private static boolean canBeOverridden(ClassFile.Member method, ClassFile type) {
        int open = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
        return !method.has(Opcodes.ACC_PRIVATE)
                && !method.name().startsWith("<")
                && (method.has(open) || !type.name().startsWith("io.evenkeel."));
    }

    private static Stream<ClassFile> hierarchy(ClassFile type, ClassFiles classFiles) {
        return Stream.concat(
                Stream.of(type),
                type.supertypes().stream()
                        .map(classFiles::type)
                        .flatMap(Stream::ofNullable)
                        .flatMap(supertype -> hierarchy(supertype, classFiles)));
    }

    private static boolean isBelow(ClassFile type, String name, ClassFiles classFiles) {
        return hierarchy(type, classFiles).anyMatch(each -> each.name().equals(name));
    }

    private static Collection<String> kafkas(KafkaJars jars) throws IOException {
        List<String> names = new ArrayList<>();
        for (var url : jars.getURLs()) {
            if (url.getPath().contains("/kafka/") && url.getPath().endsWith(".jar")) {
                try (JarFile jar =
                        new JarFile(Path.of(URI.create(url.toString())).toFile())) {
                    jar.stream()
                            .map(JarEntry::getName)
                            .filter(entry -> entry.endsWith(".class") && entry.matches("(org/apache/)?kafka/.*"))
                            .map(entry -> entry.substring(0, entry.length() - ".class".length())
                                    .replace('/', '.'))
                            .forEach(names::add);
                }
            }
        }
        return names;
    }

    private static String signature(ClassFile.Member method) {
        return method.name() + " " + method.descriptor();
    }

    /** A class of a replaced one's own that is not handed out would be missing when the broker needs it. */
    @Test
    void everyClassThatIsCompiledForThisIsHandedOut() throws IOException {
        Set<String> handedOut =
                PATCH.replacedClasses().stream().map(ReplacedClass::path).collect(toSet());
        for (String folder : PATCH.replacedClasses().stream()
                .flatMap(replaced -> replaced.folders().stream())
                .collect(toSet())) {
            Path classes = Path.of("../kafka-purgatory-wheel/target/classes", folder);
            try (Stream<Path> files = Files.walk(classes)) {
                assertThat(files.filter(Files::isRegularFile)
                                .map(file -> classes.relativize(file).toString().replace(File.separatorChar, '/')))
                        .isNotEmpty()
                        .isSubsetOf(handedOut);
            }
        }
    }

    @Test
    void refusesAClassThatIsNotThere() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with(TIMER, new byte[0])) {
            assertThat(refusal(jars))
                    .hasMessage("purgatory-wheel, class SystemTimer, Kafka 4.3.1: expected " + TIMER
                            + ", found no class of that name");
        }
    }

    @Test
    void refusesAClassThatCanDoMore() throws IOException {
        assertThat(refusal(TIMER, member -> renamed(member, "size", "count")))
                .hasMessage("purgatory-wheel, class SystemTimer, Kafka 4.3.1: expected " + TIMER
                        + " with no more than ours has, found also int count()");
    }

    @Test
    void namesWhatIsMissingInEachOfOurs() throws IOException {
        assertThat(refusal(OPERATION, member -> renamed(member, "lock", "mutex")))
                .hasMessageContaining("found also java.util.concurrent.locks.ReentrantLock mutex; or ")
                .hasMessageContaining("mutex");
    }

    @Test
    void refusesAMemberThatOthersMayUseNow() throws IOException {
        assertThat(refusal(
                        TIMER,
                        member -> member.name().equals("isTerminated")
                                ? new KafkaJars.Member(Opcodes.ACC_PUBLIC, member.name(), member.descriptor())
                                : member))
                .hasMessageEndingWith("found also boolean isTerminated()");
    }

    @Test
    void refusesAMethodThatIsStaticNow() throws IOException {
        assertThat(refusal(
                        TIMER,
                        member -> member.name().equals("size")
                                ? new KafkaJars.Member(
                                        member.access() | Opcodes.ACC_STATIC, member.name(), member.descriptor())
                                : member))
                .hasMessageEndingWith("found also static int size()");
    }

    @Test
    void refusesAKafkaWithoutWhatOurClassUses() throws IOException {
        String group = "org.apache.kafka.server.metrics.KafkaMetricsGroup";
        assertThat(refusal(group, member -> renamed(member, "newGauge", "gauge")))
                .hasMessageStartingWith("purgatory-wheel, code of ")
                .hasMessageContaining("Kafka 4.3.1: expected " + group + ".newGauge (");
    }

    @Test
    void refusesAClassThatIsLoadedAlready() throws IOException, ClassNotFoundException {
        try (KafkaJars jars = KafkaJars.of("4.3.1")) {
            FakeInstrumentation instrumentation = new FakeInstrumentation();
            instrumentation.loaded.add(jars.loadClass(PURGATORY));
            assertThatExceptionOfType(PatchException.class)
                    .isThrownBy(() -> check(jars, instrumentation))
                    .withMessageContaining("that nothing has loaded " + PURGATORY + " yet");
        }
    }

    @Test
    void refusesAClassThatSomethingHasChangedWhileItLoads() throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1")) {
            Replacement found = check(jars).replacements().get(0);
            byte[] changed = jars.bytes(found.owner());
            changed[changed.length - 1]++;
            assertThatExceptionOfType(PatchException.class)
                    .isThrownBy(() -> found.handedOut(changed))
                    .withMessageContaining("perhaps another agent");
            assertThat(ClassFile.read(found.handedOut(jars.bytes(found.owner())))
                            .supertypes())
                    .contains("io.evenkeel.purgatory.Timeout");
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void requestsOfEverySupportedVersionWaitInOurs(String version) throws Exception {
        try (ReplacedKafka kafka = new ReplacedKafka(KafkaJars.of(version))) {
            kafka.weave(PATCH);
            assertThat(kafka.run(WaitingRequests.class))
                    .isEqualTo("completed by its event, then timed out; 0 watched, 0 delayed");
            assertThat(kafka.loadClass(TASK).getSuperclass().getName()).isEqualTo("io.evenkeel.purgatory.Timeout");
        }
    }

    @Test
    void theSameRequestsWaitInStock() throws Exception {
        try (ReplacedKafka kafka = new ReplacedKafka(KafkaJars.of("4.3.1"))) {
            assertThat(kafka.run(WaitingRequests.class))
                    .isEqualTo("completed by its event, then timed out; 1 watched, 0 delayed");
        }
    }

    private static KafkaJars.Member renamed(KafkaJars.Member member, String from, String to) {
        return member.name().equals(from) ? new KafkaJars.Member(member.access(), to, member.descriptor()) : member;
    }

    private static PatchException refusal(String className, UnaryOperator<KafkaJars.Member> change) throws IOException {
        try (KafkaJars jars = KafkaJars.of("4.3.1").with(className, change)) {
            return refusal(jars);
        }
    }

    private static PatchException refusal(KafkaJars jars) {
        return catchThrowableOfType(PatchException.class, () -> check(jars));
    }

    private static Weaver.Fit check(KafkaJars jars) throws IOException {
        return check(jars, new FakeInstrumentation());
    }

    private static Weaver.Fit check(ClassLoader loader, FakeInstrumentation instrumentation) throws IOException {
        try (Weaver weaver = instrumentation.weaver(loader, PATCH)) {
            return weaver.check(PATCH);
        }
    }
}
