/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tests' class path on a JDK whose class files are newer than Byte Buddy knows. It loads all classes but the JDK's
 * itself, so Byte Buddy's constants are set anew.
 */
final class NewerJdk extends URLClassLoader {
    private static final int MAJOR_VERSION_AT = 6;
    private static final byte MAJOR_VERSION_OF_JAVA_55 = 99;

    NewerJdk() {
        super(
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .map(NewerJdk::url)
                        .toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader());
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        if (!name.startsWith("java/")) {
            return super.getResourceAsStream(name);
        }
        try (InputStream stream = requireNonNull(super.getResourceAsStream(name), name)) {
            byte[] bytes = stream.readAllBytes();
            bytes[MAJOR_VERSION_AT + 1] = MAJOR_VERSION_OF_JAVA_55;
            return new ByteArrayInputStream(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
