/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.purgatory;

import io.evenkeel.testkit.Brokers;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Delayed requests in forked brokers: the same guarantees on stock and with the patch. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class ForkedDelayedRequestsIT extends DelayedRequestsContract {
    private final boolean patched;

    ForkedDelayedRequestsIT(boolean patched) {
        super(Brokers.forked());
        this.patched = patched;
    }

    @Override
    boolean patched() {
        return patched;
    }
}
