/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import io.evenkeel.it.ContainerBroker;
import io.evenkeel.testkit.Brokers;

/** Requests that wait in brokers in containers. */
class ContainerDelayedRequestsIT extends DelayedRequestsContract {
    ContainerDelayedRequestsIT() {
        super(new Brokers(ContainerBroker::new));
    }

    @Override
    boolean patched() {
        return true;
    }
}
