/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.DeviceCeilings;

/** Holds the ceilings that the patches of one broker share; the patches do not know each other. */
public final class SharedCeilings {
    private static final DeviceCeilings OF_BROKER = new DeviceCeilings();

    private SharedCeilings() {}

    /** The ceilings of this process. */
    public static DeviceCeilings ofBroker() {
        return OF_BROKER;
    }
}
