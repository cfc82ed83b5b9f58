/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

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
