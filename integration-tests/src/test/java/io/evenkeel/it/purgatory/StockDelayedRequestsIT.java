/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import io.evenkeel.testkit.Brokers;
import org.junit.jupiter.api.Tag;

/** What the other tests demand of the patch, stock does. */
@Tag("long")
class StockDelayedRequestsIT extends DelayedRequestsContract {
    StockDelayedRequestsIT() {
        super(Brokers.forked(), false);
    }
}
