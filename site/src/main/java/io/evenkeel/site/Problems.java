/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with the pages; the build names all of it at once. */
final class Problems {
    private final List<String> found = new ArrayList<>();

    void add(String problem) {
        found.add(problem);
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new IllegalStateException("The documentation has problems:\n  " + String.join("\n  ", found));
        }
    }
}
