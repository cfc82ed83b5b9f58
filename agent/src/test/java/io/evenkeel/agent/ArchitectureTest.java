/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.kafka.LogDirs;
import io.evenkeel.tiered.kafka.SsdRoom;
import io.evenkeel.tiered.kafka.TierStart;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The import rules of the architecture, for all modules on this module's class path. */
class ArchitectureTest {
    private static final String ROOT = "io.evenkeel.";
    private static final String TIER = ROOT + "tiered";
    private static final String TOOL = TIER + ".tool..";

    /** The room of threads and system calls between a pure patch and its edge. */
    private static final String DISK_OF_FLUSH = ROOT + "flush.disk..";

    private static final List<String> PATCHES = List.of("tiered", "purgatory", "flush");
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.evenkeel");

    /** java.base and java.management; com.sun.nio.file is how the JDK spells O_DIRECT. */
    private static final String[] PURE = {
        "java.io..",
        "java.lang..",
        "java.math..",
        "java.net..",
        "java.nio..",
        "java.security..",
        "java.time..",
        "java.util",
        "java.util.concurrent..",
        "java.util.function..",
        "java.util.random..",
        "java.util.regex..",
        "java.util.stream..",
        "java.util.zip..",
        "javax.management..",
        "com.sun.nio.file..",
        "org.jspecify.annotations..",
        "com.google.errorprone.annotations..",
        "io.evenkeel.core",
    };

    private static final String[] EDGE = {
        "java..",
        "javax.management..",
        "jdk.jfr..",
        "org.apache.kafka..",
        "kafka..",
        "scala..",
        "org.slf4j..",
        "com.yammer.metrics..",
        "io.evenkeel.core.kafka.."
    };

    @Test
    void coreKnowsTheJdkOnly() {
        check(classes()
                .that()
                .resideInAPackage(ROOT + "core")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(PURE));
    }

    @Test
    void theEdgeOfCoreKnowsKafkaAndCore() {
        check(classes()
                .that()
                .resideInAPackage(ROOT + "core.kafka..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE).or(resideInAnyPackage(EDGE))));
    }

    @TestFactory
    Stream<DynamicTest> aPatchIsPureAndOnlyItsEdgeKnowsKafka() {
        return PATCHES.stream().flatMap(patch -> {
            String pure = ROOT + patch;
            String edge = ROOT + patch + ".kafka..";
            DescribedPredicate<JavaClass> isPure = resideInAPackage(pure + "..")
                    .and(not(resideInAnyPackage(edge, ROOT + patch + ".tool..", DISK_OF_FLUSH)));
            return Stream.of(
                    DynamicTest.dynamicTest(
                            patch + " is pure",
                            () -> check(classes()
                                    .that(isPure)
                                    .should()
                                    .onlyDependOnClassesThat(
                                            resideInAnyPackage(PURE).or(isPure)))),
                    DynamicTest.dynamicTest(
                            patch + ".kafka is its edge",
                            () -> check(classes()
                                    .that()
                                    .resideInAPackage(edge)
                                    .should()
                                    .onlyDependOnClassesThat(resideInAnyPackage(PURE)
                                            .or(resideInAnyPackage(EDGE))
                                            .or(isPure)
                                            .or(resideInAnyPackage(edge, DISK_OF_FLUSH))))));
        });
    }

    @Test
    void theDiskRoomOfFlushKnowsThreadsAndClocksButNoKafka() {
        check(classes()
                .that()
                .resideInAPackage(DISK_OF_FLUSH)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(PURE).or(resideInAnyPackage("org.slf4j..", ROOT + "flush", DISK_OF_FLUSH))));
    }

    /** They are found where the agent finds them, and known by Kafka's names. */
    @Test
    void aClassInThePlaceOfKafkasIsPartOfItsPatchsEdge() {
        classes()
                .that()
                .resideInAPackage("org.apache.kafka..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.apache.kafka..", "org.slf4j..")
                        .or(resideInAnyPackage("org.jspecify.annotations..", ROOT + "purgatory..")))
                .check(MAIN);
    }

    @Test
    void theToolStandsOnWhatABrokerBringsAndOnTheConfigOfTheTier() {
        check(classes()
                .that()
                .resideInAPackage(TOOL)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE)
                        .or(resideInAnyPackage(
                                TOOL,
                                TIER + ".api..",
                                TIER + ".file..",
                                TIER + ".disk..",
                                TIER + ".identity..",
                                TIER + ".inspect..",
                                TIER + ".sizing..",
                                ROOT + "core.kafka",
                                "java..",
                                "org.apache.kafka.clients.admin..",
                                "org.apache.kafka.common..",
                                "net.sourceforge.argparse4j..",
                                "com.fasterxml.jackson.."))
                        .or(equivalentTo(TieredSsdConfig.class))
                        .or(equivalentTo(LogDirs.class))
                        .or(equivalentTo(SsdRoom.class))
                        .or(equivalentTo(TierStart.class))));
    }

    /**
     * The rooms of the tier, and the rooms that each may use; {@code tool} and {@code kafka} are edges and may use any.
     * The heart is the package {@code tiered} itself, with {@code coldread} beside it.
     */
    @Test
    void theRoomsOfTheTierUseOnlyTheRoomsBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(TIER + "..")
                .layer("tool")
                .definedBy(TIER + ".tool..")
                .layer("kafka")
                .definedBy(TIER + ".kafka..")
                .layer("heart")
                .definedBy(TIER, TIER + ".coldread..")
                .layer("recovery")
                .definedBy(TIER + ".recovery..")
                .layer("inspect")
                .definedBy(TIER + ".inspect..")
                .layer("sizing")
                .definedBy(TIER + ".sizing..")
                .layer("identity")
                .definedBy(TIER + ".identity..")
                .layer("disk")
                .definedBy(TIER + ".disk..")
                .layer("file")
                .definedBy(TIER + ".file..")
                .layer("api")
                .definedBy(TIER + ".api..")
                .whereLayer("tool")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("kafka")
                .mayOnlyBeAccessedByLayers("tool")
                .whereLayer("heart")
                .mayOnlyBeAccessedByLayers("tool", "kafka")
                .whereLayer("recovery")
                .mayOnlyBeAccessedByLayers("tool", "kafka", "heart")
                .whereLayer("inspect")
                .mayOnlyBeAccessedByLayers("tool")
                .whereLayer("sizing")
                .mayOnlyBeAccessedByLayers("tool")
                .whereLayer("identity")
                .mayOnlyBeAccessedByLayers("tool", "kafka", "heart", "recovery", "inspect")
                .whereLayer("disk")
                .mayOnlyBeAccessedByLayers("tool", "kafka", "heart", "recovery", "inspect", "sizing")
                .whereLayer("file")
                .mayOnlyBeAccessedByLayers(
                        "tool", "kafka", "heart", "recovery", "inspect", "identity", "disk", "sizing")
                .ensureAllClassesAreContainedInArchitectureIgnoring(DescribedPredicate.describe(
                        "outside of the tier", type -> !(type.getPackageName() + ".").startsWith(TIER + ".")))
                .check(MAIN);
    }

    @Test
    void thereAreNoRingsBetweenRooms() {
        for (String patch : PATCHES) {
            slices().assignedFrom(rooms(ROOT + patch)).should().beFreeOfCycles().check(MAIN);
        }
    }

    /** Each package is a room. */
    private static SliceAssignment rooms(String patch) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                return name.equals(patch) || name.startsWith(patch + ".")
                        ? SliceIdentifier.of(name)
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "the rooms of " + patch;
            }
        };
    }

    @Test
    void nobodyKnowsTheTool() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(TOOL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TOOL));
    }

    @Test
    void pureCodeDoesNotLog() {
        check(noClasses()
                .that(arePure())
                .should()
                .dependOnClassesThat(equivalentTo(System.Logger.class)
                        .or(equivalentTo(System.LoggerFinder.class))
                        .or(resideInAnyPackage("java.util.logging..", "org.slf4j.."))));
    }

    @Test
    void onlyTheAgentKnowsByteBuddy() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "agent..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("net.bytebuddy.."));
    }

    @Test
    void nobodyKnowsTheAgent() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "agent..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "agent.."));
    }

    @Test
    void timeIsAnArgument() {
        check(noClasses()
                .that(arePure().and(not(equivalentTo(Worker.class))).and(not(isHowLocksWait())))
                .should()
                .accessTargetWhere(readsAClockOrUsesAThread()));
    }

    @Test
    void staticStateLivesInHooksOnly() {
        check(fields().that()
                .areStatic()
                .and()
                .areNotFinal()
                .should()
                .beDeclaredInClassesThat()
                .haveSimpleNameEndingWith("Hooks"));
    }

    @Test
    void namesSayWhatAClassIs() {
        check(noClasses().should().haveNameMatching(".*(Manager|Utils?|Helper|Impl|Processor|Data|Info)"));
        check(noClasses().should().haveNameMatching(".*[.$](Abstract|Base)[A-Z]\\w*"));
    }

    @Test
    void testsDoNotSleep() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            JavaClasses tests = new ClassFileImporter()
                    .importPaths(modules.map(module -> module.resolve("target/test-classes"))
                            .filter(Files::isDirectory)
                            .toList());
            noClasses()
                    .should()
                    .callMethodWhere(target(
                            "sleeps",
                            access -> access.getTargetOwner().isEquivalentTo(Thread.class)
                                    && access.getName().equals("sleep")))
                    .check(tests);
        }
    }

    private static DescribedPredicate<JavaClass> arePure() {
        return resideInAnyPackage(Stream.concat(Stream.of("core"), PATCHES.stream())
                        .map(name -> ROOT + name + "..")
                        .toArray(String[]::new))
                .and(not(resideInAnyPackage(ROOT + "*.kafka..", ROOT + "*.tool..", DISK_OF_FLUSH)))
                .as("are pure");
    }

    /** Which thread it runs on, anyone may ask. */
    private static DescribedPredicate<JavaAccess<?>> readsAClockOrUsesAThread() {
        return target("reads a clock, waits, or is about threads", access -> {
            JavaClass owner = access.getTargetOwner();
            boolean clock = owner.getPackageName().startsWith("java.")
                    && Set.of("nanoTime", "currentTimeMillis", "now").contains(access.getName());
            boolean thread = owner.isEquivalentTo(Thread.class)
                    && !Set.of("currentThread", "getId").contains(access.getName());
            return clock || thread || owner.isEquivalentTo(LockSupport.class);
        });
    }

    /** Who waits for one of our own locks has to do it somehow. */
    private static DescribedPredicate<JavaClass> isHowLocksWait() {
        return simpleName("SpinBackoff").or(simpleName("DeviceReads")).as("is how locks wait");
    }

    private static DescribedPredicate<JavaAccess<?>> target(String description, Predicate<JavaAccess<?>> predicate) {
        return DescribedPredicate.describe(description, predicate);
    }

    /** A rule may have nothing to say yet: some of the patches are to come. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }
}
