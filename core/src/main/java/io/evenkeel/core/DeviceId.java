/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which device a file is on. */
public final class DeviceId {
    private DeviceId() {}

    /**
     * The identity of the device that holds a file: equal for files on the same device. Links are followed.
     *
     * @param unknown the answer where the system does not say
     */
    public static Object of(Path file, Object unknown) {
        try {
            return Files.getAttribute(file, "unix:dev");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return unknown;
        }
    }
}
