/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

/** Says that a patch does not fit this broker: which hook, in which Kafka, what was expected and what was found. */
final class PatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String patch;
    private final String hook;
    private final String kafkaVersion;
    private final String expected;
    private final String found;

    PatchException(String patch, String hook, String kafkaVersion, String expected, String found) {
        super("%s, %s, Kafka %s: expected %s, found %s".formatted(patch, hook, kafkaVersion, expected, found));
        this.patch = patch;
        this.hook = hook;
        this.kafkaVersion = kafkaVersion;
        this.expected = expected;
        this.found = found;
    }

    /** The message for an operator, one fact a line. */
    String report() {
        return """
                the broker was stopped before it opened a log, because a patch does not fit it exactly.
                  patch:    %s
                  hook:     %s
                  Kafka:    %s
                  expected: %s
                  found:    %s
                  to do:    use a release of evenkeel that supports this Kafka, take the agent out of KAFKA_OPTS,
                            or leave out a patch that does not fit: agent argument
                            on.mismatch=skip.""".formatted(patch, hook, kafkaVersion, expected, found);
    }
}
