/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import io.evenkeel.testkit.Brokers;

/** Delayed requests in forked brokers with the patch. */
class ForkedDelayedRequestsIT extends DelayedRequestsContract {
    ForkedDelayedRequestsIT() {
        super(Brokers.forked(), true);
    }
}
