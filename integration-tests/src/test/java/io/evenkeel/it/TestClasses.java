/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The compiled classes on disk, for the class path of a child JVM. Stateless. */
public final class TestClasses {
    private TestClasses() {}

    /** The directory with the classes of the integration tests. */
    public static Path dir() {
        return of(TestClasses.class);
    }

    /** The directory or jar that a class was loaded from. */
    public static Path of(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
