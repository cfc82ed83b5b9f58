/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * One Markdown page and its place on the site.
 *
 * @param source the path in the repository
 * @param headings in the order of the page
 */
record Page(Path source, Node document, List<PageHeading> headings) {
    /** A heading and the anchor that GitHub gives it. */
    record PageHeading(Heading node, String text, String anchor) {}

    static Page of(Path source, Node document) {
        List<PageHeading> headings = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String text = PageText.of(heading);
                String anchor = anchor(text);
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                headings.add(new PageHeading(heading, text, before == 0 ? anchor : anchor + "-" + before));
            }
        });
        return new Page(source, document, headings);
    }

    /** As GitHub does it, so that the same link works in both places. */
    private static String anchor(String text) {
        return text.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc}\\- ]", "")
                .replace(' ', '-');
    }

    Optional<String> title() {
        return headings.stream()
                .filter(heading -> heading.node().getLevel() == 1)
                .map(PageHeading::text)
                .findFirst();
    }

    boolean hasAnchor(String anchor) {
        return headings.stream().anyMatch(heading -> heading.anchor().equals(anchor));
    }

    /** The README of a directory becomes its index. */
    Path output() {
        String name = source.getFileName().toString();
        return source.resolveSibling(name.equals("README.md") ? "index.html" : name.replaceAll("\\.md$", ".html"));
    }

    /** A relative link from this page to another file of the site. */
    String linkTo(Path other) {
        Path here = Objects.requireNonNullElse(output().getParent(), Path.of(""));
        return here.relativize(other).toString();
    }
}
