/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;

/**
 * A class of the broker that is replaced whole, by one of the same name and with at least the same API. Immutable.
 *
 * <p>Our class file is where no class loader looks for a class of that name, so without the agent it does nothing.
 *
 * @param name of both
 * @param folders where ours may be; in each Kafka the first is taken that has all of stock's API
 * @param purpose for the page that tells operators what is woven into their broker
 */
record ReplacedClass(String name, List<String> folders, String purpose) {
    /** Of a class file of that name, on a class path or in one of the folders. */
    String path() {
        return name.replace('.', '/') + ".class";
    }
}
