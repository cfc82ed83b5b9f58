/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The errors that clients saw, counted by the kind of client and the class of the error. Thread safe. */
final class ClientErrors {
    private final Map<String, Long> counts = new TreeMap<>();

    /** Counts an error as the application gets it. */
    void add(String client, Throwable error) {
        add(client, error.getClass().getSimpleName(), 1);
    }

    synchronized void add(String client, String error, long count) {
        counts.merge(client + ": " + error, count, Long::sum);
    }

    /** Counts the errors in the brokers' responses between two looks at {@link ResponseErrors}. */
    void addResponses(Map<String, Long> before, Map<String, Long> after) {
        after.forEach((error, count) -> {
            long more = count - before.getOrDefault(error, 0L);
            if (more > 0) {
                add("response", error, more);
            }
        });
    }

    /** All that were counted, as {@code client: error}. */
    synchronized Set<String> classes() {
        return Set.copyOf(counts.keySet());
    }

    @Override
    public synchronized String toString() {
        return counts.toString();
    }
}
