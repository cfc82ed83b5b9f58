/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.jspecify.annotations.Nullable;

/**
 * The order of the pages. {@code docs/README.md} has it: each heading with a list of links below it is a group, and the
 * first link of each line is an entry. A README that is an entry brings in the pages that its own lists name.
 */
final class Navigation {
    static final Path INDEX = Path.of("docs", "README.md");

    /** A heading of the index and the pages below it. */
    record Group(String title, List<Entry> entries) {}

    /** One line of the index; {@code below} is empty except for a README. */
    record Entry(String label, Page page, List<Entry> below) {}

    private final Repository repository;
    private final List<Group> groups = new ArrayList<>();

    private Navigation(Repository repository) {
        this.repository = repository;
    }

    static Navigation of(Repository repository, Problems problems) {
        Navigation navigation = new Navigation(repository);
        repository.page(INDEX).ifPresentOrElse(navigation::read, () -> problems.add(INDEX + " is missing"));
        Set<Path> listed = new TreeSet<>(Set.of(INDEX));
        navigation.pages().forEach(page -> listed.add(page.source()));
        for (Page page : repository.pages()) {
            if (!listed.contains(page.source())) {
                problems.add(page.source() + " is not in the navigation: name it in " + INDEX);
            }
        }
        return navigation;
    }

    private void read(Page index) {
        String title = "";
        List<Entry> entries = new ArrayList<>();
        for (Node block = index.document().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading) {
                addGroup(title, entries);
                title = PageText.of(block);
                entries = new ArrayList<>();
            }
            entries.addAll(entries(index, block, true));
        }
        addGroup(title, entries);
    }

    private void addGroup(String title, List<Entry> entries) {
        if (!entries.isEmpty()) {
            groups.add(new Group(title, entries));
        }
    }

    private List<Entry> entries(Page from, Node block, boolean withThoseBelow) {
        List<Entry> entries = new ArrayList<>();
        block.accept(new AbstractVisitor() {
            @Override
            public void visit(ListItem item) {
                Link link = firstLink(item);
                if (link != null) {
                    target(from, link).ifPresent(page -> {
                        boolean isReadme = page.source().endsWith("README.md") && withThoseBelow;
                        entries.add(new Entry(PageText.of(link), page, isReadme ? below(page) : List.of()));
                    });
                }
            }
        });
        return entries;
    }

    /** Only pages beside the README: a README also has lists of links to other places. */
    private List<Entry> below(Page readme) {
        return entries(readme, readme.document(), false).stream()
                .filter(entry -> !readme.source().equals(Path.of("README.md")))
                .filter(entry ->
                        entry.page().source().startsWith(readme.source().resolveSibling("")))
                .toList();
    }

    private Optional<Page> target(Page from, Link link) {
        return LinkTarget.of(from, link.getDestination()).flatMap(target -> repository.page(target.path()));
    }

    private static @Nullable Link firstLink(ListItem item) {
        Node paragraph = item.getFirstChild();
        return paragraph != null && paragraph.getFirstChild() instanceof Link link ? link : null;
    }

    List<Group> groups() {
        return groups;
    }

    /** All pages in order. */
    List<Page> pages() {
        List<Page> pages = new ArrayList<>();
        for (Group group : groups) {
            for (Entry entry : group.entries()) {
                pages.add(entry.page());
                entry.below().forEach(below -> pages.add(below.page()));
            }
        }
        return pages.stream().distinct().toList();
    }
}
