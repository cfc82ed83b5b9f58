/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes the site of one version, in a directory of that name. */
public final class SiteBuild {
    private static final List<String> ASSETS = List.of("site.css", "search.js", "icon.svg");

    private SiteBuild() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("usage: SiteBuild <repository> <directory of the site> <version>");
        }
        build(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2]);
    }

    static void build(Path root, Path site, String version) throws IOException {
        Problems problems = new Problems();
        Repository repository = Repository.read(root);
        Navigation navigation = Navigation.of(repository, problems);
        SiteLinks links = new SiteLinks(repository, problems);
        SearchIndex index = new SearchIndex();
        for (Page page : repository.pages()) {
            if (page.title().isEmpty()) {
                problems.add(page.source() + " has no title");
            }
            index.add(page);
            links.rewrite(page);
        }
        problems.throwIfAny();

        Path home = site.resolve(version);
        delete(site);
        PageTemplate template = new PageTemplate(navigation, version);
        for (Page page : repository.pages()) {
            write(home.resolve(page.output()), template.html(page));
        }
        for (String asset : ASSETS) {
            write(home.resolve(asset), PageTemplate.resource(asset));
        }
        write(home.resolve("search-index.js"), index.script());
        for (Map.Entry<Path, Path> file : links.files().entrySet()) {
            repository.copy(file.getKey(), home.resolve(file.getValue()));
        }
        write(
                site.resolve("index.html"),
                PageTemplate.fill(
                        PageTemplate.resource("forward.html"), Map.of("version", PageTemplate.escape(version))));
    }

    /** A page of the last build that has gone must not stay. */
    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
