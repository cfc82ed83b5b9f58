/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;

/**
 * A class of the broker that is replaced whole, by ours of the same name with at least the same API. Immutable.
 *
 * <p>No class loader looks for a class of that name where our class file is, so without the agent it does nothing.
 *
 * @param name of both classes
 * @param folders where our class may be; the first one with all of stock's API is taken
 * @param purpose for the page that tells operators what is woven into their broker
 */
record ReplacedClass(String name, List<String> folders, String purpose) {
    /** Of a class file of that name, on a class path or in one of the folders. */
    String path() {
        return name.replace('.', '/') + ".class";
    }
}
