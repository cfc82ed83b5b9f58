/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks patches against the broker's class files, then weaves them in. Check, weave and close on one thread.
 *
 * <p>From its creation until {@link #weave} or {@link #close}, other threads that load a class which one of the patches
 * may change wait; then they get the class as it has become.
 */
final class Weaver implements AutoCloseable {
    /*
     * No failure may be silent, but the JVM ignores an exception of a transformer and loads the class unchanged. So
     * there are three checks:
     *
     * 1. check() compares every hook point, every class to replace, and every Kafka class and member that our code
     *    uses, with the class files, before it changes anything. It refuses a target that is loaded already.
     * 2. When a target loads, woven() or Replacement.handedOut() compares again, with the bytes that the JVM really
     *    loads: another agent may have changed them. A class that does not fit is refused before it loads.
     * 3. weave() loads the targets itself, and throws when one of them has not been woven.
     *
     * The gate is installed only for that time; afterwards the broker loads classes without us. It is a plain
     * transformer. Byte Buddy's AgentBuilder would do the same work, but it reports an error to a listener and lets the
     * class load, and it defines classes of its own in a way that newer JVMs warn about.
     *
     * Targets are woven in one class loader only. A plugin that brings its own copy of a Kafka class in a loader of its
     * own keeps that copy unchanged.
     */

    /** A class of this Kafka that is changed as it loads. */
    interface Target {
        Patch patch();

        /** The name of the hook in messages. */
        String hook();

        String owner();
    }

    /** A hook point, found in this Kafka. */
    record Site(Patch patch, HookPoint hookPoint, HookPoint.Method target) implements Target {
        @Override
        public String hook() {
            return hookPoint.name();
        }

        @Override
        public String owner() {
            return target.owner();
        }
    }

    /** A method and the advice that is woven into it. */
    private record Call(HookPoint.Method target, Class<?> advice) {}

    /** A patch that fits this Kafka. */
    record Fit(Patch patch, List<Site> sites, List<Replacement> replacements) {
        Stream<Target> targets() {
            return Stream.concat(sites.stream(), replacements.stream());
        }
    }

    private final ClassFiles classFiles;
    private final Instrumentation instrumentation;
    private final Gate gate;

    /**
     * Holds the targets back.
     *
     * @param patches all that may be checked and woven
     * @param dump where the woven classes are written, or null
     * @param refuse gets the reason when a target cannot be woven, on the thread that loads it, before it loads
     *     unchanged
     */
    Weaver(
            ClassFiles classFiles,
            Instrumentation instrumentation,
            Collection<Patch> patches,
            @Nullable Path dump,
            Consumer<Throwable> refuse) {
        this.classFiles = classFiles;
        this.instrumentation = instrumentation;
        this.gate = new Gate(
                classFiles.loader(),
                patches.stream().flatMap(Patch::targets).collect(toUnmodifiableSet()),
                dump,
                refuse);
        instrumentation.addTransformer(gate);
    }

    /**
     * Finds all that the patch changes in this Kafka.
     *
     * @throws PatchException when one of them is not exactly as the patch expects it; nothing is changed by then
     */
    Fit check(Patch patch) throws IOException {
        Fit fit = new Fit(
                patch,
                patch.hookPoints().stream()
                        .map(hookPoint -> find(patch, hookPoint))
                        .toList(),
                patch.replacedClasses().stream()
                        .map(replaced -> Replacement.find(patch, replaced, classFiles))
                        .toList());
        checkReferences(fit);
        checkNotLoaded(fit);
        return fit;
    }

    /**
     * Loads the targets, changed; none is initialized.
     *
     * @throws PatchException when a target has changed since it was checked, or was loaded unchanged; this JVM must
     *     then stop
     */
    void weave(Collection<Fit> fits) throws ClassNotFoundException {
        Map<String, UnaryOperator<byte[]>> changes = new HashMap<>();
        fits.stream()
                .flatMap(fit -> fit.sites().stream())
                .collect(groupingBy(Site::owner))
                .forEach((owner, sites) -> changes.put(owner, stock -> woven(stock, sites)));
        fits.stream()
                .flatMap(fit -> fit.replacements().stream())
                .forEach(replacement -> changes.put(replacement.owner(), replacement::handedOut));
        gate.open(changes);
        for (Target target : fits.stream().flatMap(Fit::targets).toList()) {
            load(target);
        }
    }

    private void load(Target target) throws ClassNotFoundException {
        Throwable notLoaded = null;
        try {
            Class.forName(target.owner(), false, classFiles.loader());
        } catch (LinkageError e) {
            notLoaded = e;
        }
        Throwable notChanged = gate.failure(target.owner());
        Throwable failure = notChanged == null ? notLoaded : notChanged;
        if (failure instanceof PatchException mismatch) {
            throw mismatch;
        } else if (failure != null) {
            throw new IllegalStateException("cannot weave " + target.owner() + ": " + failure, failure);
        } else if (!gate.hasChanged(target.owner())) {
            throw isLoaded(target);
        }
    }

    /** Lets all waiting threads continue, and removes the gate. */
    @Override
    public void close() {
        gate.letGo();
        instrumentation.removeTransformer(gate);
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
        ClassFile owner = classFiles.type(site.target().owner());
        if (owner != null) {
            checkFields(site, owner);
        }
        return site;
    }

    private void checkFields(Site site, ClassFile owner) {
        for (HookPoint.Field field : site.hookPoint().fields()) {
            if (owner.fields().stream().noneMatch(field::matches)) {
                throw mismatch(
                        site.patch(),
                        site.hookPoint().name(),
                        owner.name() + ": field " + field,
                        owner.fields().stream()
                                .filter(namesake -> namesake.name().equals(field.name()))
                                .map(namesake -> new HookPoint.Field(namesake.name(), namesake.descriptor()))
                                .map(HookPoint.Field::toString)
                                .findAny()
                                .orElse("no such field"));
            }
        }
    }

    private void checkReferences(Fit fit) {
        ClassFiles replaced = classFiles.with(
                fit.replacements().stream().map(Replacement::classFile).toList());
        List<String> roots = Stream.concat(
                        fit.patch().entries(), fit.replacements().stream().map(Replacement::owner))
                .toList();
        for (References.Missing missing : References.missing(replaced, roots)) {
            throw mismatch(fit.patch(), "code of " + missing.user(), missing.what(), "nothing of that name and type");
        }
    }

    private void checkNotLoaded(Fit fit) {
        Map<String, Target> byOwner = new HashMap<>();
        fit.targets().forEach(target -> byOwner.putIfAbsent(target.owner(), target));
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            Target target = byOwner.get(loaded.getName());
            if (target != null && loaded.getClassLoader() == classFiles.loader()) {
                throw isLoaded(target);
            }
        }
    }

    private PatchException isLoaded(Target target) {
        return mismatch(
                target.patch(),
                target.hook(),
                "that nothing has loaded " + target.owner() + " yet",
                "it loaded, perhaps by an agent that is named before this one in KAFKA_OPTS");
    }

    private byte[] woven(byte[] classFile, Collection<Site> sites) {
        ClassFile loading = ClassFile.read(classFile);
        AdvisedClass advised = new AdvisedClass(loading, classFile, classFiles.locator());
        for (Site site : sites) {
            if (loading.methods().stream().noneMatch(site.target()::matches)) {
                throw mismatch(
                        site.patch(),
                        site.hookPoint().name(),
                        site.target().toString(),
                        "that something has changed the class while it loads, perhaps another agent");
            }
            checkFields(site, loading);
        }
        // Patches share the hook points of config: each of them is woven once.
        sites.stream()
                .map(site -> new Call(site.target(), site.hookPoint().advice()))
                .distinct()
                .forEach(call -> advised.advise(call.target(), call.advice()));
        return advised.toByteArray();
    }

    private PatchException mismatch(Patch patch, String hook, String expected, String found) {
        return new PatchException(patch.name(), hook, classFiles.kafkaVersion(), expected, found);
    }
}
