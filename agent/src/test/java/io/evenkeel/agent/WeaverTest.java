/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.kafka.ConfigHooks;
import io.evenkeel.flush.kafka.FlushRatelimitHooks;
import io.evenkeel.tiered.kafka.ColdReadHooks;
import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WeaverTest {
    private static final String BEFORE_4_3 = "org.apache.kafka.common.record.FileRecords";
    private static final String SINCE_4_3 = "org.apache.kafka.common.record.internal.FileRecords";

    @TempDir
    Path dir;

    @BeforeEach
    void closeTheDoor() {
        Door.CALLS.clear();
        Door.channelToOpen = null;
        Door.rolls = false;
        Door.fileNamePrefix = null;
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void aFilePassesTheDoorAllItsLife(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            File file = dir.resolve("0.log").toFile();
            File renamed = dir.resolve("0.log.deleted").toFile();
            Object records = kafka.open(file);
            FileChannel channel = (FileChannel) call(records, "channel");
            call(records, "renameTo", renamed);
            call(records, "updateParentDir", new File("/elsewhere"));
            call(records, "updateParentDir", dir.toFile());
            assertThat(call(records, "deleteIfExists")).isEqualTo(true);
            assertThat(Door.CALLS)
                    .containsExactly(
                            "open" + List.of(file, true, false, 0, false),
                            "renaming" + List.of(channel),
                            "renamed" + List.of(channel, renamed),
                            "moved" + List.of(channel, new File("/elsewhere/0.log.deleted")),
                            "moved" + List.of(channel, renamed),
                            "deleted" + List.of(channel));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void kafkaUsesTheChannelThatTheDoorGives(String version) throws Exception {
        Door.channelToOpen = FileChannel.open(
                dir.resolve("on-ssd.log"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            assertThat(call(kafka.open(dir.resolve("0.log").toFile()), "channel"))
                    .isSameAs(Door.channelToOpen);
            assertThat(dir.resolve("0.log")).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void filesAreCalledAsStockCallsThem(String version) throws Exception {
        long[] offsets = {0, 1, 9, 10, 1_234_567, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Class<?> names = kafka.loadClass("org.apache.kafka.storage.internals.log.LogFileUtils");
            Class<?> ours = kafka.loadClass(TieredSsdHooks.class.getPackageName() + ".FileNamePrefix");
            for (long offset : offsets) {
                Object name = declared(names, "filenamePrefixFromOffset", offset);
                assertThat(name)
                        .asString()
                        .endsWith(Long.toString(Math.abs(offset)).replace("-", ""));
                assertThat(declared(ours, "of", offset)).isEqualTo(offset < 0 ? null : name);
            }
            Door.fileNamePrefix = "ours";
            assertThat(declared(names, "filenamePrefixFromOffset", 7L)).isEqualTo("ours");
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void aSegmentIsOpenedBetweenItsConfigAndTheEnd(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Object config = kafka.logConfig(Map.of());
            Door.CALLS.clear();
            kafka.openSegment(dir, config);
            assertThat(Door.CALLS)
                    .hasSize(3)
                    .startsWith("opening" + List.of(config))
                    .endsWith("opened[]");

            Door.CALLS.clear();
            assertThatThrownBy(() -> kafka.openSegment(dir.resolve("gone"), config))
                    .hasCauseInstanceOf(IOException.class);
            assertThat(Door.CALLS).endsWith("opened[]");
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theTierStartsBeforeTheLogManager(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Class<?> type = kafka.loadClass("kafka.log.LogManager$");
            Method apply = method(type, "apply", version.startsWith("4.0.") ? 8 : 7);
            Object[] nothing = new Object[apply.getParameterCount()];
            Object failures = kafka.loadClass("org.apache.kafka.storage.internals.log.LogDirFailureChannel")
                    .getConstructor(int.class)
                    .newInstance(1);
            nothing[6] = failures;
            if (nothing.length == 8) {
                nothing[7] = false;
            }
            assertThatThrownBy(() -> apply.invoke(type.getField("MODULE$").get(null), nothing))
                    .hasCauseInstanceOf(NullPointerException.class);
            assertThat(Door.CALLS).containsExactly("start[null, " + failures + "]");
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void aTopicMaySayWhereItsFollowersWrite(String version) throws Exception {
        String key = "tiered.ssd.follower.placement";
        try (Woven kafka = new Woven(KafkaJars.of(version), null, false)) {
            kafka.weave();
            assertThat(call(kafka.logConfig(Map.of()), "getString", key)).isNull();
            assertThat(call(kafka.logConfig(Map.of(key, "hdd")), "getString", key))
                    .isEqualTo("hdd");
            assertThatThrownBy(() -> kafka.logConfig(Map.of(key, "tape")))
                    .cause()
                    .hasMessageContaining(key)
                    .hasMessageContaining("ssd, hdd");
            Class<?> logConfig = kafka.loadClass("org.apache.kafka.storage.internals.log.LogConfig");
            assertThat((Collection<?>) logConfig.getMethod("configNames").invoke(null))
                    .anyMatch(key::equals);
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theDoorLearnsWhoLeads(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Object partition = kafka.partition("orders", 7);
            for (boolean leader : new boolean[] {true, false}) {
                Object[] state = new Object[6];
                state[1] = leader;
                assertThatThrownBy(() -> call(partition, "updateAssignmentAndIsr", state))
                        .hasCauseInstanceOf(NullPointerException.class);
            }
            call(partition, "delete");
            call(partition, "markOffline");
            assertThat(Door.CALLS)
                    .containsExactly(
                            "role[orders-7, true, null, null]",
                            "role[orders-7, false, null, null]",
                            "left[orders-7]",
                            "left[orders-7]");
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theDoorHasTheLastWordOnARoll(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Object segment = kafka.openSegment(dir, kafka.logConfig(Map.of()));
            Object append = kafka.rollParams(Integer.MAX_VALUE, 1000);
            Object tooLarge = kafka.rollParams(1, 1000);
            Door.CALLS.clear();
            Door.rolls = true;
            assertThat(call(segment, "shouldRoll", append)).isEqualTo(true);
            Door.rolls = false;
            assertThat(call(segment, "shouldRoll", tooLarge)).isEqualTo(false);
            assertThat(Door.CALLS)
                    .containsExactly(
                            "shouldRoll" + List.of(segment, append, false),
                            "shouldRoll" + List.of(segment, tooLarge, true));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theQuestionForARollIsReadInTheWayOfEachVersion(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Object segment = kafka.openSegment(dir, kafka.logConfig(Map.of()));
            Class<?> question = kafka.loadClass(TieredSsdHooks.class.getPackageName() + ".RollAccess");
            assertThat(declared(question, "channel", segment))
                    .isSameAs(call(requireNonNull(call(segment, "log")), "channel"));
            assertThat(declared(question, "appendBytes", kafka.rollParams(1, 1000)))
                    .isEqualTo(100);
            assertThat(declared(question, "sizeInBytes", requireNonNull(kafka.emptyRecords())))
                    .isEqualTo(0);
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theInSyncReplicasAreReadInTheWayOfEachVersion(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Class<?> inSync = kafka.loadClass(TieredSsdHooks.class.getPackageName() + ".InSync");
            Object told = version.compareTo("4.2") < 0 ? kafka.partitionState(3, 5) : kafka.registration(3, 5);
            assertThat(declared(inSync, "of", told)).isEqualTo(List.of(3, 5));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void aLogIsFlushedInTheWayOfEachVersion(String version) throws Exception {
        try (Woven kafka = weave(KafkaJars.of(version), null)) {
            Class<?> logs = kafka.loadClass(FlushRatelimitHooks.class.getPackageName() + ".KafkaLogs");
            Object empty = requireNonNull(kafka.emptyRecords());
            assertThat(declared(logs, "buffer", empty)).isEqualTo(ByteBuffer.allocate(0));
        }
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void everyTargetCallsTheDoor(String version) throws Exception {
        everyTargetCalls(TieredSsdPatch.patch(), TieredSsdHooks.class, version);
        everyTargetCalls(FlushRatelimitPatch.patch(), FlushRatelimitHooks.class, version);
    }

    @ParameterizedTest
    @MethodSource("io.evenkeel.agent.KafkaJars#versions")
    void theHookPointsOfConfigAreWovenOnceForAllPatches(String version) throws Exception {
        List<Patch> patches = List.of(TieredSsdPatch.patch(), FlushRatelimitPatch.patch());
        try (Woven kafka = new Woven(KafkaJars.of(version), null, true)) {
            kafka.weave(patches);
            for (HookPoint hookPoint : ConfigPoints.of("", "")) {
                HookPoint.Method target =
                        hookPoint.in(new ClassFiles(kafka)::type).get(0);
                byte[] woven = requireNonNull(kafka.loaded.get(target.owner()));
                assertThat(calls(ConfigHooks.class, woven, target)).isEqualTo(1);
                assertThat(patches)
                        .allSatisfy(patch -> assertThat(patch.hookPoints())
                                .as("one mismatch refuses each of them")
                                .anyMatch(ofPatch -> ofPatch.advice() == hookPoint.advice()));
            }
        }
    }

    private static void everyTargetCalls(Patch patch, Class<?> door, String version) throws Exception {
        try (Woven kafka = new Woven(KafkaJars.of(version), null, true)) {
            kafka.weave(patch);
            for (HookPoint hookPoint : patch.hookPoints()) {
                HookPoint.Method target =
                        hookPoint.in(new ClassFiles(kafka)::type).get(0);
                byte[] stock = kafka.jars.bytes(target.owner());
                byte[] woven = requireNonNull(kafka.loaded.get(target.owner()));
                List<Class<?>> doors = List.of(door, ConfigHooks.class, ColdReadHooks.class);
                assertThat(doors.stream().mapToInt(called -> calls(called, woven, target)))
                        .as(target.toString())
                        .containsOnlyOnce(1)
                        .containsOnly(0, 1);
                assertThat(doors)
                        .allSatisfy(called ->
                                assertThat(calls(called, stock, target)).isZero());
            }
            assertThat(kafka.instrumentation.transformers).isEmpty();
        }
    }

    /** How often the target calls one of the door's methods. */
    private static int calls(Class<?> door, byte[] classFile, HookPoint.Method target) {
        Map<String, Integer> calls = new HashMap<>();
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public @Nullable MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                return name.equals(target.name()) && descriptor.equals(target.descriptor())
                                        ? visitor(door, calls)
                                        : null;
                            }
                        },
                        0);
        return calls.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private static MethodVisitor visitor(Class<?> door, Map<String, Integer> calls) {
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (owner.equals(door.getName().replace('.', '/'))) {
                    calls.merge(name, 1, Integer::sum);
                }
            }
        };
    }

    @Test
    void aFailedRenameIsOverForTheDoorToo() throws Exception {
        try (Woven kafka = weave(KafkaJars.of("4.3.1"), null)) {
            Object records = kafka.open(dir.resolve("0.log").toFile());
            assertThatThrownBy(() ->
                            call(records, "renameTo", dir.resolve("no/0.log").toFile()))
                    .hasCauseInstanceOf(IOException.class);
            assertThat(Door.CALLS).last().asString().startsWith("renamed[");
        }
    }

    @Test
    void aFailedDeleteIsNotReportedAsDone() throws Exception {
        try (Woven kafka = weave(KafkaJars.of("4.3.1"), null)) {
            Path path = dir.resolve("0.log");
            Object records = kafka.open(path.toFile());
            Files.delete(path);
            Files.createDirectories(path.resolve("not-empty"));
            assertThatThrownBy(() -> call(records, "deleteIfExists")).hasCauseInstanceOf(IOException.class);
            assertThat(Door.CALLS).noneMatch(call -> call.startsWith("deleted"));
        }
    }

    @Test
    void stopsWhenSomethingHasChangedATargetWhileItLoads() throws Exception {
        KafkaJars jars = KafkaJars.of("4.3.1");
        byte[] changed = KafkaJars.changed(
                jars.bytes(SINCE_4_3),
                member -> new KafkaJars.Member(
                        member.access(), member.name().replace("openChannel", "open0"), member.descriptor()));
        try (Woven kafka = new Woven(jars, changed, true)) {
            assertThatExceptionOfType(PatchException.class)
                    .isThrownBy(kafka::weave)
                    .withMessageContaining("FileRecords.openChannel");
            assertThat(kafka.instrumentation.refused)
                    .hasOnlyElementsOfType(PatchException.class)
                    .hasSize(1);
        }
    }

    @Test
    void stopsWhenATargetCannotBeWoven() throws Exception {
        try (Woven kafka = new Woven(KafkaJars.of("4.3.1"), new byte[] {1, 2, 3}, true)) {
            assertThatThrownBy(kafka::weave).hasMessageStartingWith("cannot weave " + SINCE_4_3);
        }
    }

    @Test
    void leavesAnotherClassLoadersCopyAlone() throws Exception {
        try (Woven kafka = weave(KafkaJars.of("4.3.1"), null)) {
            assertThat(kafka.inAnotherLoader).isEqualTo(kafka.jars.bytes(SINCE_4_3));
        }
    }

    @Test
    void refusesATargetThatIsLoadedAlready() throws Exception {
        try (Woven kafka = new Woven(KafkaJars.of("4.3.1"), null, true)) {
            kafka.instrumentation.loaded.add(kafka.loadClass(SINCE_4_3));
            assertThatExceptionOfType(PatchException.class)
                    .isThrownBy(() -> kafka.weave())
                    .withMessageContaining("expected that nothing has loaded " + SINCE_4_3 + " yet, found it loaded");
            assertThat(kafka.instrumentation.transformers).isEmpty();
        }
    }

    @Test
    void stopsWhenATargetWasLoadedAfterTheCheck() throws Exception {
        try (Woven kafka = new Woven(KafkaJars.of("4.3.1"), null, true)) {
            kafka.loadClass(SINCE_4_3);
            assertThatExceptionOfType(PatchException.class)
                    .isThrownBy(kafka::weave)
                    .withMessageContaining("expected that nothing has loaded " + SINCE_4_3 + " yet, found it loaded");
            assertThat(kafka.instrumentation.transformers).isEmpty();
        }
    }

    private static Woven weave(KafkaJars jars, byte @Nullable [] fileRecords) throws Exception {
        Woven woven = new Woven(jars, fileRecords, true);
        woven.weave();
        return woven;
    }

    private static @Nullable Object declared(Class<?> type, String name, Object argument)
            throws ReflectiveOperationException {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 1) {
                method.setAccessible(true);
                return method.invoke(null, argument);
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static @Nullable Object call(Object target, String method, Object... arguments)
            throws ReflectiveOperationException {
        return method(target.getClass(), method, arguments.length).invoke(target, arguments);
    }

    private static Method method(Class<?> type, String name, int parameters) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == parameters)
                .findFirst()
                .orElseThrow();
    }

    /** Loads a Kafka version's classes as a broker with the agent would. */
    private static final class Woven extends ClassLoader implements AutoCloseable {
        final KafkaJars jars;
        final FakeInstrumentation instrumentation = new FakeInstrumentation();
        final Map<String, byte[]> loaded = new HashMap<>();
        /** What becomes of FileRecords when another class loader loads it in the middle of the weaving. */
        byte @Nullable [] inAnotherLoader;

        private final byte @Nullable [] fileRecords;
        private final boolean fakesDoor;

        /**
         * @param fileRecords what FileRecords is when it loads, if not as in the jars
         * @param fakesDoor whether {@link Door} stands in for ours
         */
        Woven(KafkaJars jars, byte @Nullable [] fileRecords, boolean fakesDoor) {
            super(getPlatformClassLoader());
            this.jars = jars;
            this.fileRecords = fileRecords;
            this.fakesDoor = fakesDoor;
        }

        void weave() throws IOException, ClassNotFoundException {
            weave(TieredSsdPatch.patch());
        }

        void weave(Patch patch) throws IOException, ClassNotFoundException {
            weave(List.of(patch));
        }

        void weave(List<Patch> patches) throws IOException, ClassNotFoundException {
            try (Weaver weaver = instrumentation.weaver(this, patches)) {
                List<Weaver.Fit> fits = new ArrayList<>();
                for (Patch patch : patches) {
                    fits.add(weaver.check(patch));
                }
                weaver.weave(fits);
            }
        }

        Object open(File file) throws ReflectiveOperationException {
            Class<?> type;
            try {
                type = loadClass(SINCE_4_3);
            } catch (ClassNotFoundException e) {
                type = loadClass(BEFORE_4_3);
            }
            return method(type, "open", 5).invoke(null, file, true, false, 0, false);
        }

        Object logConfig(Map<String, String> topic) throws ReflectiveOperationException {
            return loadClass("org.apache.kafka.storage.internals.log.LogConfig")
                    .getConstructor(Map.class)
                    .newInstance(topic);
        }

        /** Of the type that a log is appended with. */
        @Nullable
        Object emptyRecords() throws ReflectiveOperationException {
            Class<?> log = loadClass("org.apache.kafka.storage.internals.log.LocalLog");
            return method(log, "append", 2)
                    .getParameterTypes()[1]
                    .getField("EMPTY")
                    .get(null);
        }

        Object openSegment(Path dir, Object logConfig) throws ReflectiveOperationException {
            Object time = loadClass("org.apache.kafka.common.utils.Time")
                    .getField("SYSTEM")
                    .get(null);
            return method(loadClass("org.apache.kafka.storage.internals.log.LogSegment"), "open", 8)
                    .invoke(null, dir.toFile(), 0L, logConfig, time, false, 0, false, "");
        }

        Object rollParams(int maxSegmentBytes, long maxTimestampInMessages) throws ReflectiveOperationException {
            return loadClass("org.apache.kafka.storage.internals.log.RollParams")
                    .getConstructors()[0]
                    .newInstance(Long.MAX_VALUE, maxSegmentBytes, maxTimestampInMessages, 0L, 100, 1000L);
        }

        /** What a follower is told of its partition, before 4.2. */
        Object partitionState(Integer... inSync) throws ReflectiveOperationException {
            Class<?> type = loadClass("org.apache.kafka.common.requests.LeaderAndIsrRequest$PartitionState");
            Object state = type.getConstructor().newInstance();
            Field isr = type.getDeclaredField("isr");
            isr.setAccessible(true);
            isr.set(state, List.of(inSync));
            return state;
        }

        /** The same since 4.2. */
        Object registration(int... inSync) throws ReflectiveOperationException {
            Class<?> recovery = loadClass("org.apache.kafka.metadata.LeaderRecoveryState");
            Object uuids = Array.newInstance(loadClass("org.apache.kafka.common.Uuid"), inSync.length);
            for (int i = 0; i < inSync.length; i++) {
                Array.set(
                        uuids,
                        i,
                        loadClass("org.apache.kafka.common.Uuid")
                                .getField("ZERO_UUID")
                                .get(null));
            }
            Object builder = loadClass("org.apache.kafka.metadata.PartitionRegistration$Builder")
                    .getConstructor()
                    .newInstance();
            call(builder, "setReplicas", inSync);
            call(builder, "setIsr", inSync);
            method(builder.getClass(), "setDirectories", 1).invoke(builder, uuids);
            call(builder, "setLeader", inSync[0]);
            call(builder, "setLeaderEpoch", 1);
            call(builder, "setPartitionEpoch", 1);
            call(
                    builder,
                    "setLeaderRecoveryState",
                    recovery.getField("RECOVERED").get(null));
            return requireNonNull(call(builder, "build"));
        }

        /** A partition of a broker that has nothing else. */
        Object partition(String topic, int partition) throws ReflectiveOperationException {
            Object topicPartition = loadClass("org.apache.kafka.common.TopicPartition")
                    .getConstructor(String.class, int.class)
                    .newInstance(topic, partition);
            Constructor<?> constructor = loadClass("kafka.cluster.Partition").getConstructors()[0];
            Object[] arguments = new Object[constructor.getParameterCount()];
            arguments[0] = topicPartition;
            arguments[1] = 0L;
            arguments[2] = 1;
            return constructor.newInstance(arguments);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(Door.class.getName())) {
                return Door.class;
            }
            byte[] bytes;
            if (fakesDoor && Door.isFaked(name)) {
                bytes = Door.classFile(name);
            } else if (name.equals(SINCE_4_3) && fileRecords != null) {
                bytes = fileRecords;
            } else if (jars.findResource(name.replace('.', '/') + ".class") == null) {
                throw new ClassNotFoundException(name);
            } else {
                bytes = jars.bytes(name);
            }
            if (name.equals(SINCE_4_3)) {
                inAnotherLoader = instrumentation.transform(new ClassLoader() {}, name, bytes);
            }
            byte[] woven = instrumentation.transform(this, name, bytes);
            loaded.put(name, woven);
            return defineClass(name, woven, 0, woven.length);
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            return jars.getResourceAsStream(name);
        }

        @Override
        public void close() throws IOException {
            jars.close();
        }
    }
}
