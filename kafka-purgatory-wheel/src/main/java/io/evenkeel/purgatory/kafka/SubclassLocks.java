/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;

/**
 * Which kinds of requests use the lock that Kafka's {@code DelayedOperation} has for its subclasses. Thread safe.
 *
 * <p>Few kinds do, and for all others the lock would take more memory than everything else that they need for waiting.
 * Only a class whose class file contains the name of a field uses that field. A class that cannot be read, or that uses
 * the name for something else, counts as one that uses the lock.
 */
public final class SubclassLocks extends ClassValue<Boolean> {
    /** The name as a constant of a class file: tag, length, text. */
    private static final String NAME = "\1\0\4lock";

    private final Class<?> root;

    /** @param root the class that has the lock */
    public SubclassLocks(Class<?> root) {
        this.root = root;
    }

    /** Whether a class or one of its superclasses below the root uses the lock. */
    @Override
    protected Boolean computeValue(Class<?> type) {
        return type != root && (names(type) || get(type.getSuperclass()));
    }

    private static boolean names(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null || new String(in.readAllBytes(), ISO_8859_1).contains(NAME);
        } catch (IOException e) {
            return true;
        }
    }
}
