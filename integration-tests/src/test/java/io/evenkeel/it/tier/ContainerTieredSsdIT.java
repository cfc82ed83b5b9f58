/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.it.ContainerBroker;
import io.evenkeel.testkit.Brokers;
import org.junit.jupiter.api.Tag;

/** The tier in the image that we build. */
@Tag("long")
class ContainerTieredSsdIT extends TieredSsdContract {
    ContainerTieredSsdIT() {
        super(new Brokers(ContainerBroker::new));
    }
}
