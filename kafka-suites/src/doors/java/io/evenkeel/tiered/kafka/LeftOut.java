/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

/** What is left out on purpose, to see that Kafka's tests notice: the proof that they can fail. Immutable. */
public enum LeftOut {
    /** As shipped. */
    NOTHING,
    /** A copy on the HDD keeps its place when its segment is truncated; the link should be put back first. */
    LINK,
    /** The tier is not told that Kafka has renamed a segment. */
    RENAMES;

    /** The system property that names it. */
    public static final String PROPERTY = "suites.left.out";

    static final LeftOut HERE = valueOf(System.getProperty(PROPERTY, NOTHING.name()));
}
