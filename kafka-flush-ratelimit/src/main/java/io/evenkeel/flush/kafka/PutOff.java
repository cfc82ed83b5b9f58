/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

/** Instead of an append by a follower: not now. Immutable. */
public final class PutOff {
    static final PutOff INSTANCE = new PutOff();

    private PutOff() {}
}
