/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;

/**
 * Which kinds of requests use the lock that Kafka's class of requests has for its subclasses. Thread safe.
 *
 * <p>Few do, and for all others that lock would be more memory than all that they need to wait. A field is used only by
 * classes in whose class file its name stands. A class that cannot be read, or that means something else by the name,
 * counts as one that uses it.
 */
public final class SubclassLocks extends ClassValue<Boolean> {
    /** A constant of a class file that is this very text: its tag, its length, the text. */
    private static final String NAME = "\1\0\4lock";

    private final Class<?> root;

    /** @param root the class that has the lock */
    public SubclassLocks(Class<?> root) {
        this.root = root;
    }

    /** Whether a subclass uses it, or what it is a subclass of. */
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
