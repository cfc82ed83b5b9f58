/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

/** A response that may have to wait for bytes from a disk. */
@FunctionalInterface
public interface ColdSend {
    /** It is time to try again. Called by any thread; takes no lock that a caller of {@link ColdReader} holds. */
    void wake();

    /** Whether a replica gets it. Called by the thread that sends. */
    default boolean isToReplica() {
        return false;
    }

    /** When the fetch came in that it answers. Called by the thread that sends. */
    default long fetchedNanos() {
        return 0;
    }

    /** Until the client may have more. Called by the thread that sends. */
    default long owedNanos() {
        return 0;
    }
}
