/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.testkit.Broker;
import org.junit.jupiter.api.Tag;

/** The same as {@link ContainerTieredSsdIT}, with brokers that are stopped in good order. */
@Tag("long")
class StoppedContainerTieredSsdIT extends ContainerTieredSsdIT {
    @Override
    void end(Broker broker) {
        broker.stop();
    }
}
