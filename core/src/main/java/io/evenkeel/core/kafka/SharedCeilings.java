/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.DeviceCeilings;

/** Where the patches of one broker, which do not know each other, find the ceilings that they share. */
public final class SharedCeilings {
    private static final DeviceCeilings OF_BROKER = new DeviceCeilings();

    private SharedCeilings() {}

    /** Those of this process. */
    public static DeviceCeilings ofBroker() {
        return OF_BROKER;
    }
}
