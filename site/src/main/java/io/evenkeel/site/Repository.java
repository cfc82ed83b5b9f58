/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;

/** All Markdown pages of a repository, parsed. */
final class Repository {
    static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

    private final Path root;
    private final Map<Path, Page> pages = new TreeMap<>();

    private Repository(Path root) {
        this.root = root;
    }

    static Repository read(Path directory) throws IOException {
        Path root = directory.toRealPath();
        Repository repository = new Repository(root);
        Parser parser = Parser.builder().extensions(EXTENSIONS).build();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean ours =
                        directory.equals(root) || isOurs(directory.getFileName().toString());
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".md")) {
                    Path source = root.relativize(file);
                    repository.pages.put(source, Page.of(source, parser.parse(Files.readString(file))));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return repository;
    }

    /** Not what builds and tools have put there. */
    private static boolean isOurs(String directory) {
        return !directory.startsWith(".") && !directory.equals("target") && !directory.equals("node_modules");
    }

    Collection<Page> pages() {
        return pages.values();
    }

    /** A directory stands for its README. */
    Optional<Page> page(Path source) {
        return Optional.ofNullable(pages.get(source))
                .or(() -> Optional.ofNullable(pages.get(source.resolve("README.md"))));
    }

    boolean hasFile(Path source) {
        return !source.startsWith("..") && Files.isRegularFile(root.resolve(source));
    }

    String text(Path source) throws IOException {
        return Files.readString(root.resolve(source));
    }

    void copy(Path source, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.write(to, Files.readAllBytes(root.resolve(source)));
    }
}
