/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/** Checks patches against the broker's class files, then weaves them in. Immutable; check and weave on one thread. */
final class Weaver {
    /*
     * Nothing may go wrong silently, and the JVM by itself ignores what a transformer throws and loads the class as it
     * was. So there are three nets:
     *
     * 1. check() compares every hook point, and all that our code needs of Kafka, with the class files, before anything
     *    is changed, and refuses a target that is loaded already.
     * 2. When a target loads, woven() compares again, with the bytes that are really loaded: another agent may have
     *    changed them.
     * 3. Whatever the transformer throws stops the JVM while the target loads, so it never runs without its patch.
     *
     * The transformer is a plain one. Byte Buddy's AgentBuilder would do the same work, but reports an error to a
     * listener and lets the class load, looks at every class of the JVM, and defines classes of its own by means that
     * newer JVMs warn about.
     *
     * Targets are woven in one class loader only. A plugin that brings its own copy of a Kafka class in a loader of its
     * own keeps it as it is.
     */

    /** A hook point, found in this Kafka. */
    record Site(Patch patch, HookPoint hookPoint, HookPoint.Method target) {}

    private final ClassFiles classFiles;
    private final Instrumentation instrumentation;
    private final Consumer<Throwable> stop;

    /** @param stop ends the JVM: a target was loaded without its patch. Called on the thread that loads it. */
    Weaver(ClassFiles classFiles, Instrumentation instrumentation, Consumer<Throwable> stop) {
        this.classFiles = classFiles;
        this.instrumentation = instrumentation;
        this.stop = stop;
    }

    /**
     * The places to weave the patch in.
     *
     * @throws PatchException when one of them is not exactly as the patch expects it; nothing is changed by then
     */
    List<Site> check(Patch patch) throws IOException {
        List<Site> sites = patch.hookPoints().stream()
                .map(hookPoint -> find(patch, hookPoint))
                .toList();
        checkReferences(patch);
        checkNotLoaded(sites);
        return sites;
    }

    /** Installs the advice, to be woven in when each target loads. */
    void weave(Collection<Site> sites) {
        instrumentation.addTransformer(new Transformer(
                sites.stream().collect(groupingBy(site -> site.target().owner().replace('.', '/')))));
        checkNotLoaded(sites);
    }

    private Site find(Patch patch, HookPoint hookPoint) {
        List<HookPoint.Method> targets = hookPoint.in(classFiles::type);
        if (targets.size() != 1) {
            String expected = hookPoint.candidates().stream()
                    .map(HookPoint.Method::toString)
                    .collect(joining("; or ", targets.isEmpty() ? "" : "only one of: ", ""));
            throw mismatch(patch, hookPoint.name(), expected, hookPoint.found(classFiles::type));
        }
        Site site = new Site(patch, hookPoint, targets.get(0));
        TypeDescription owner = classFiles.type(site.target().owner());
        if (owner != null) {
            checkFields(site, owner);
        }
        return site;
    }

    private void checkFields(Site site, TypeDescription owner) {
        for (HookPoint.Field field : site.hookPoint().fields()) {
            if (owner.getDeclaredFields().stream().noneMatch(field::matches)) {
                throw mismatch(
                        site.patch(),
                        site.hookPoint().name(),
                        owner.getName() + ": field " + field,
                        owner.getDeclaredFields().stream()
                                .filter(namesake -> namesake.getName().equals(field.name()))
                                .map(namesake -> new HookPoint.Field(namesake.getName(), namesake.getDescriptor()))
                                .map(HookPoint.Field::toString)
                                .findAny()
                                .orElse("no such field"));
            }
        }
    }

    private void checkReferences(Patch patch) throws IOException {
        List<String> roots = patch.hookPoints().stream()
                .map(hookPoint -> hookPoint.advice().getName())
                .toList();
        for (References.Missing missing : References.missing(classFiles, roots)) {
            throw mismatch(patch, "code of " + missing.user(), missing.what(), "nothing of that name and type");
        }
    }

    private void checkNotLoaded(Collection<Site> sites) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            for (Site site : sites) {
                if (loaded.getName().equals(site.target().owner()) && loaded.getClassLoader() == classFiles.loader()) {
                    throw mismatch(
                            site.patch(),
                            site.hookPoint().name(),
                            "that nothing has loaded " + loaded.getName() + " yet",
                            "it loaded, perhaps by an agent that is named before this one in KAFKA_OPTS");
                }
            }
        }
    }

    /** The class file with its advice, all in place: no member is added, none changes its signature. */
    private byte[] woven(String owner, byte[] classFile, Collection<Site> sites) {
        ClassFileLocator locator =
                new ClassFileLocator.Compound(ClassFileLocator.Simple.of(owner, classFile), classFiles.locator());
        TypeDescription loading = TypePool.Default.of(locator).describe(owner).resolve();
        DynamicType.Builder<?> builder = new ByteBuddy()
                .with(Implementation.Context.Disabled.Factory.INSTANCE)
                .decorate(loading, locator);
        for (Site site : sites) {
            if (loading.getDeclaredMethods().stream().noneMatch(site.target()::matches)) {
                throw mismatch(
                        site.patch(),
                        site.hookPoint().name(),
                        site.target().toString(),
                        "that something has changed the class while it loads, perhaps another agent");
            }
            checkFields(site, loading);
            builder = builder.visit(advice(site).on(site.target()::matches));
        }
        return builder.make().getBytes();
    }

    private Advice advice(Site site) {
        TypeDescription advice = classFiles.type(site.hookPoint().advice().getName());
        return Advice.to(requireNonNull(advice), classFiles.locator());
    }

    private PatchException mismatch(Patch patch, String hook, String expected, String found) {
        return new PatchException(patch.name(), hook, classFiles.kafkaVersion(), expected, found);
    }

    /** Weaves targets as they load, by internal name, or stops the JVM. */
    private final class Transformer implements ClassFileTransformer {
        private final Map<String, List<Site>> sites;

        Transformer(Map<String, List<Site>> sites) {
            this.sites = sites;
        }

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] classFile) {
            if (name == null || loader != classFiles.loader() || !sites.containsKey(name)) {
                return null;
            }
            String owner = name.replace('/', '.');
            try {
                return woven(owner, classFile, sites.get(name));
            } catch (PatchException mismatch) {
                stop.accept(mismatch);
            } catch (Throwable failure) {
                stop.accept(new IllegalStateException("cannot weave " + owner + ": " + failure, failure));
            }
            return null;
        }
    }
}
