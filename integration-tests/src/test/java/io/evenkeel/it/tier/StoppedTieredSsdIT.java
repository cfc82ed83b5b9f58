/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import org.junit.jupiter.api.Tag;

/** The same as {@link ForkedTieredSsdIT}, with brokers that are stopped in good order. */
@Tag("long")
class StoppedTieredSsdIT extends ForkedTieredSsdIT {
    @Override
    End end() {
        return End.STOP;
    }
}
