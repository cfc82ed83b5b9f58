/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Text;

/** Checks the links of all pages and turns them into links of the site. */
final class SiteLinks {
    private final Repository repository;
    private final Problems problems;
    /** Files that are no pages and that a page leads to: where they are, and where they go. */
    private final Map<Path, Path> files = new TreeMap<>();

    SiteLinks(Repository repository, Problems problems) {
        this.repository = repository;
        this.problems = problems;
    }

    Map<Path, Path> files() {
        return files;
    }

    void rewrite(Page page) {
        page.document().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                nameByTitle(page, link);
                LinkTarget.of(page, link.getDestination())
                        .ifPresent(target -> link.setDestination(link(page, link.getDestination(), target)));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                LinkTarget.of(page, image.getDestination()).ifPresent(target -> show(page, image, target.path()));
            }
        });
    }

    /** On GitHub a file's name says where a link leads; here a page's title does. */
    private void nameByTitle(Page page, Link link) {
        if (link.getFirstChild() instanceof Text text && text.getLiteral().endsWith(".md")) {
            LinkTarget.of(page, link.getDestination())
                    .flatMap(target -> repository.page(target.path()))
                    .flatMap(Page::title)
                    .ifPresent(text::setLiteral);
        }
    }

    private String link(Page page, String destination, LinkTarget target) {
        String anchor = target.anchor().isEmpty() ? "" : "#" + target.anchor();
        Page other = repository.page(target.path()).orElse(null);
        if (other != null) {
            if (!anchor.isEmpty() && !other.hasAnchor(target.anchor())) {
                problems.add(page.source() + ": " + destination + " leads to no heading of " + other.source());
            }
            return other.equals(page) && !anchor.isEmpty() ? anchor : page.linkTo(other.output()) + anchor;
        }
        // A browser shows text under this name, whatever it is.
        String ending = target.path().toString().endsWith(".html") ? "" : ".txt";
        return file(page, destination, target.path(), target.path() + ending);
    }

    /** The text of an SVG becomes part of the page, so that it has the page's colours and fonts. */
    private void show(Page page, Image image, Path path) {
        if (path.toString().endsWith(".svg") && repository.hasFile(path)) {
            HtmlInline svg = new HtmlInline();
            try {
                svg.setLiteral(repository.text(path));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            image.insertAfter(svg);
            image.unlink();
        } else {
            image.setDestination(file(page, image.getDestination(), path, path.toString()));
        }
    }

    private String file(Page page, String destination, Path path, String output) {
        if (!repository.hasFile(path)) {
            problems.add(page.source() + ": " + destination + " leads to nothing, or to a directory without a README");
            return destination;
        }
        files.put(path, Path.of(output));
        return page.linkTo(Path.of(output));
    }
}
