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

/** Reads directories and attributes; a missing file is a result, a device that fails is an exception. Stateless. */
public final class FileReads {
    private FileReads() {}

    /** The entries of a directory; none when it does not exist or is no directory. */
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

    /** The attributes of a file, or of a link itself; null when it does not exist. */
    public static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** The path that a link leads to. */
    public static Path target(Path link) throws IOException {
        return target(link, Files.readSymbolicLink(link));
    }

    /** The path that a link leads to in which {@code written} is written. */
    public static Path target(Path link, Path written) {
        return link.resolveSibling(written).normalize();
    }

    /** True when {@code link} is a link that leads to {@code target}. */
    public static boolean isLinkTo(Path link, Path target) throws IOException {
        BasicFileAttributes found = attributes(link);
        return found != null && found.isSymbolicLink() && target(link).equals(target);
    }

    /** A read that {@link #ofEach} does for each item. */
    public interface Reading<T, R> {
        R of(T item) throws IOException;
    }

    /**
     * Reads each of the items, several at a time, because a start waits for this. The results are in the same order.
     */
    public static <T, R> List<R> ofEach(List<T> items, Reading<T, R> reading) throws IOException {
        try {
            return items.parallelStream()
                    .map(item -> {
                        try {
                            return reading.of(item);
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
