/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static net.bytebuddy.matcher.ElementMatchers.is;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.none;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/** Checks patches against the broker's class files, then weaves them in. Immutable; check and weave on one thread. */
final class Weaver {
    /*
     * Nothing may go wrong silently, and the JVM by itself ignores what a transformer throws and loads the class as it
     * was. So there are three nets:
     *
     * 1. check() compares every hook point, and all that our code needs of Kafka, with the class files, before anything
     *    is changed, and refuses a target that is loaded already.
     * 2. When a target loads, transform() compares again, with the bytes that are really loaded: another agent may have
     *    changed them.
     * 3. The listener stops the JVM when a target loads and has not been transformed, for whatever reason.
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
        Map<String, List<Site>> byOwner =
                sites.stream().collect(groupingBy(site -> site.target().owner()));
        new AgentBuilder.Default(new ByteBuddy())
                .with(AgentBuilder.TypeStrategy.Default.DECORATE)
                .disableClassFormatChanges()
                .with(AgentBuilder.DescriptionStrategy.Default.POOL_ONLY)
                .with(new StopWhenUnpatched(byOwner.keySet()))
                .ignore(none())
                .type(namedOneOf(byOwner.keySet().toArray(String[]::new)), is(classFiles.loader()))
                .transform((builder, type, loader, module, domain) ->
                        transform(builder, type, byOwner.getOrDefault(type.getName(), List.of())))
                .installOn(instrumentation);
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

    private DynamicType.Builder<?> transform(
            DynamicType.Builder<?> builder, TypeDescription loading, Collection<Site> sites) {
        DynamicType.Builder<?> woven = builder;
        for (Site site : sites) {
            if (loading.getDeclaredMethods().stream().noneMatch(site.target()::matches)) {
                throw mismatch(
                        site.patch(),
                        site.hookPoint().name(),
                        site.target().toString(),
                        "that something has changed the class while it loads, perhaps another agent");
            }
            checkFields(site, loading);
            woven = woven.visit(advice(site).on(site.target()::matches));
        }
        return woven;
    }

    private Advice advice(Site site) {
        TypeDescription advice = classFiles.type(site.hookPoint().advice().getName());
        return Advice.to(requireNonNull(advice), classFiles.locator());
    }

    private PatchException mismatch(Patch patch, String hook, String expected, String found) {
        return new PatchException(patch.name(), hook, classFiles.kafkaVersion(), expected, found);
    }

    /** The third net. */
    private final class StopWhenUnpatched extends AgentBuilder.Listener.Adapter {
        private final Collection<String> targets;

        StopWhenUnpatched(Collection<String> targets) {
            this.targets = targets;
        }

        @Override
        public void onIgnored(
                TypeDescription type, @Nullable ClassLoader loader, @Nullable JavaModule module, boolean loaded) {
            stopAtTarget(type.getName(), loader, new IllegalStateException("its transformer was not asked"));
        }

        @Override
        public void onError(
                String type,
                @Nullable ClassLoader loader,
                @Nullable JavaModule module,
                boolean loaded,
                Throwable error) {
            stopAtTarget(type, loader, error);
        }

        private void stopAtTarget(String type, @Nullable ClassLoader loader, Throwable cause) {
            if (targets.contains(type) && loader == classFiles.loader()) {
                stop.accept(
                        cause instanceof PatchException
                                ? cause
                                : new IllegalStateException("cannot weave " + type + ": " + cause, cause));
            }
        }
    }
}
