/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at directories and files, and tells what is not there from what a device fails to answer. Stateless. */
public final class FileReads {
    private FileReads() {}

    /** What is in a directory; nothing when it is not there or not a directory. */
    public static List<Path> children(Path dir) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            stream.forEach(children::add);
        } catch (NotDirectoryException | NoSuchFileException e) {
            return children;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }

    /** What a file, or a link itself, is; null when there is none. */
    public static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Where a link leads. */
    public static Path target(Path link) throws IOException {
        return target(link, Files.readSymbolicLink(link));
    }

    /** Where a link leads that says {@code written}. */
    public static Path target(Path link, Path written) {
        return link.resolveSibling(written).normalize();
    }

    /** True while a link leads there. */
    public static boolean isLinkTo(Path link, Path target) throws IOException {
        BasicFileAttributes found = attributes(link);
        return found != null && found.isSymbolicLink() && target(link).equals(target);
    }

    /** One of the looks that {@link #ofEach} takes. */
    public interface Look<T, R> {
        R at(T item) throws IOException;
    }

    /** What is seen at each of the items, in their order. Several are looked at at a time: a start waits for this. */
    public static <T, R> List<R> ofEach(List<T> items, Look<T, R> look) throws IOException {
        try {
            return items.parallelStream()
                    .map(item -> {
                        try {
                            return look.at(item);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
