/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
     * 3. weave() loads the targets itself, and throws when one of them has not been woven.
     *
     * The transformer is there for just that long: nothing of ours is asked when the broker loads its other classes. It is a
     * plain one. Byte Buddy's AgentBuilder would do the same work, but reports an
     * error to a listener and lets the class load, and defines classes of its own by means that newer JVMs warn about.
     *
     * Targets are woven in one class loader only. A plugin that brings its own copy of a Kafka class in a loader of its
     * own keeps it as it is.
     */

    /** A hook point, found in this Kafka. */
    record Site(Patch patch, HookPoint hookPoint, HookPoint.Method target) {}

    private final ClassFiles classFiles;
    private final Instrumentation instrumentation;
    private final @Nullable Path dump;

    /** @param dump where the woven classes are written, or null */
    Weaver(ClassFiles classFiles, Instrumentation instrumentation, @Nullable Path dump) {
        this.classFiles = classFiles;
        this.instrumentation = instrumentation;
        this.dump = dump;
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

    /**
     * Loads the targets, with the advice in them; none is initialized.
     *
     * @throws PatchException when one has changed since it was checked, or was loaded without the advice; this JVM must then
     *     not go on
     */
    void weave(Collection<Site> sites) throws ClassNotFoundException {
        Transformer transformer = new Transformer(
                sites.stream().collect(groupingBy(site -> site.target().owner().replace('.', '/'))));
        instrumentation.addTransformer(transformer);
        try {
            for (Site site : sites) {
                transformer.load(site);
            }
        } finally {
            instrumentation.removeTransformer(transformer);
        }
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

    private void checkReferences(Patch patch) {
        List<String> roots = patch.hookPoints().stream()
                .map(hookPoint -> hookPoint.advice().getName())
                .toList();
        for (References.Missing missing : References.missing(classFiles, roots)) {
            throw mismatch(patch, "code of " + missing.user(), missing.what(), "nothing of that name and type");
        }
    }

    private void checkNotLoaded(Collection<Site> sites) {
        Map<String, Site> byOwner = new HashMap<>();
        sites.forEach(site -> byOwner.putIfAbsent(site.target().owner(), site));
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            Site site = byOwner.get(loaded.getName());
            if (site != null && loaded.getClassLoader() == classFiles.loader()) {
                throw isLoaded(site);
            }
        }
    }

    private PatchException isLoaded(Site site) {
        return mismatch(
                site.patch(),
                site.hookPoint().name(),
                "that nothing has loaded " + site.target().owner() + " yet",
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
            advised.advise(site.target(), site.hookPoint().advice());
        }
        return advised.toByteArray();
    }

    private PatchException mismatch(Patch patch, String hook, String expected, String found) {
        return new PatchException(patch.name(), hook, classFiles.kafkaVersion(), expected, found);
    }

    /** Weaves targets, by internal name, while they load. Thread safe: another agent's thread may be what loads them. */
    private final class Transformer implements ClassFileTransformer {
        private final Map<String, List<Site>> sites;
        private final Set<String> woven = ConcurrentHashMap.newKeySet();
        private final Map<String, Throwable> failures = new ConcurrentHashMap<>();

        Transformer(Map<String, List<Site>> sites) {
            this.sites = sites;
        }

        void load(Site site) throws ClassNotFoundException {
            String owner = site.target().owner();
            try {
                Class.forName(owner, false, classFiles.loader());
            } catch (LinkageError e) {
                failures.putIfAbsent(owner, e);
            }
            Throwable failure = failures.get(owner);
            if (failure instanceof PatchException mismatch) {
                throw mismatch;
            } else if (failure != null) {
                throw new IllegalStateException("cannot weave " + owner + ": " + failure, failure);
            } else if (!woven.contains(owner)) {
                throw isLoaded(site);
            }
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
                byte[] result = woven(classFile, sites.get(name));
                if (dump != null) {
                    Files.write(dump.resolve(owner + ".class"), result);
                }
                woven.add(owner);
                return result;
            } catch (Throwable failure) {
                failures.put(owner, failure);
                return null;
            }
        }
    }
}
