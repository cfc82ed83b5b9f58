/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a link of a page leads inside the repository.
 *
 * @param anchor without the {@code #}; empty when there is none
 */
record LinkTarget(Path path, String anchor) {
    /** Nothing, if the link leads out of the repository. */
    static Optional<LinkTarget> of(Page from, String destination) {
        if (destination.matches("[a-z]+:.*")) {
            return Optional.empty();
        }
        int hash = destination.indexOf('#');
        String anchor = hash < 0 ? "" : destination.substring(hash + 1);
        String file = hash < 0 ? destination : destination.substring(0, hash);
        Path path = file.isEmpty()
                ? from.source()
                : from.source().resolveSibling(file).normalize();
        return Optional.of(new LinkTarget(path, anchor));
    }
}
