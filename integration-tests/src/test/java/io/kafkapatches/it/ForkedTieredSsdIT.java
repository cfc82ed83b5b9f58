/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

/** The tier on Kafka's own jars in a child JVM. */
class ForkedTieredSsdIT extends TieredSsdContract {
    ForkedTieredSsdIT() {
        super(Brokers.forked());
    }
}
