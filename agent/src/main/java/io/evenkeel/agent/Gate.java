/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.lang.instrument.ClassFileTransformer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The class file transformer that every class passes as it loads. While it is closed, a thread that loads a class which
 * a patch may change waits here until the patches are checked. Once it is open, it changes these classes. Thread safe.
 *
 * <p>The thread that checks the patches must not load such a class before the gate is open.
 */
final class Gate implements ClassFileTransformer {
    /** The checks take less than a second. A thread that waits longer than this fails instead of waiting for ever. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final ClassLoader loader;
    private final Set<String> held;
    private final @Nullable Path dump;
    private final Consumer<Throwable> refuse;
    private final CountDownLatch open = new CountDownLatch(1);
    private final Set<String> changed = ConcurrentHashMap.newKeySet();
    private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private volatile Map<String, UnaryOperator<byte[]>> changes = Map.of();

    /**
     * @param held the names of all classes that may be changed
     * @param dump where the changed classes are written, or null
     * @param refuse gets each failure before the class loads unchanged; does not return where that would do harm
     */
    Gate(ClassLoader loader, Set<String> held, @Nullable Path dump, Consumer<Throwable> refuse) {
        this.loader = loader;
        this.held = held;
        this.dump = dump;
        this.refuse = refuse;
    }

    /** From now on classes of these names are changed as they load, and all others load unchanged. */
    void open(Map<String, UnaryOperator<byte[]>> changes) {
        this.changes = Map.copyOf(changes);
        letGo();
    }

    /** From now on no thread waits; without {@link #open}, every class loads unchanged. */
    void letGo() {
        open.countDown();
    }

    /** True when a class of that name has been changed. */
    boolean hasChanged(String name) {
        return changed.contains(name);
    }

    /** Why a class of that name was not changed; null when there was no failure. */
    @Nullable
    Throwable failure(String name) {
        return failures.get(name);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        String name = internalName == null ? "" : internalName.replace('/', '.');
        if (loader != this.loader || !held.contains(name)) {
            return null;
        }
        try {
            awaitOpen(name);
            UnaryOperator<byte[]> change = changes.get(name);
            return change == null ? null : change(name, change, classFile);
        } catch (Throwable failure) {
            failures.put(name, failure);
            refuse.accept(failure);
            return null;
        }
    }

    private byte[] change(String name, UnaryOperator<byte[]> change, byte[] classFile) throws Exception {
        byte[] result = change.apply(classFile);
        if (dump != null) {
            Files.write(dump.resolve(name + ".class"), result);
        }
        changed.add(name);
        return result;
    }

    /** Keeps an interrupt for later: it is meant for the code that loads the class. */
    private void awaitOpen(String name) {
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (open.getCount() > 0) {
            try {
                if (!open.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new IllegalStateException("the patches were not checked within " + LONGEST_WAIT.toSeconds()
                            + " s, and the loading of " + name
                            + " waited for that; perhaps another agent blocks both");
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
