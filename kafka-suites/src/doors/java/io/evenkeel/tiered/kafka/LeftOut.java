/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

/** A step that is left out on purpose, to prove that Kafka's tests can fail. Immutable. */
public enum LeftOut {
    /** As shipped. */
    NOTHING,
    /** A copy on the HDD stays when its segment is truncated; the tier should put the link back first. */
    LINK,
    /** The tier does not learn that Kafka has renamed a segment. */
    RENAMES;

    /** The system property that names it. */
    public static final String PROPERTY = "suites.left.out";

    static final LeftOut HERE = valueOf(System.getProperty(PROPERTY, NOTHING.name()));
}
