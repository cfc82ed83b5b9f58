/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import io.evenkeel.it.ContainerBroker;
import io.evenkeel.testkit.Brokers;
import org.junit.jupiter.api.Tag;

/** Requests that wait in brokers in containers. */
@Tag("long")
class ContainerDelayedRequestsIT extends DelayedRequestsContract {
    ContainerDelayedRequestsIT() {
        super(new Brokers(ContainerBroker::new), true);
    }
}
