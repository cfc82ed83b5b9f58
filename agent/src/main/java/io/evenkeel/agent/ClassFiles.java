/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;

/**
 * The class files on a class path. Reading them loads no class. {@link #type} and {@link #with} are for one thread, the
 * rest is thread safe.
 */
final class ClassFiles {
    private final ClassLoader loader;
    private final ClassFileLocator locator;
    private final Map<String, Optional<ClassFile>> known = new HashMap<>();

    ClassFiles(ClassLoader loader) {
        this.loader = loader;
        this.locator = new ReadableClassFiles(ClassFileLocator.ForClassLoader.of(loader));
    }

    ClassLoader loader() {
        return loader;
    }

    ClassFileLocator locator() {
        return locator;
    }

    /** The class of that name, or null when there is none. */
    @Nullable
    ClassFile type(String name) {
        return known.computeIfAbsent(name, this::find).orElse(null);
    }

    private Optional<ClassFile> find(String name) {
        try {
            ClassFileLocator.Resolution found = locator.locate(name);
            return found.isResolved() ? Optional.of(ClassFile.read(found.resolve())) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the class file of " + name, e);
        }
    }

    /** The same class path, on which {@code others} stand in for the classes of their names. */
    ClassFiles with(Collection<ClassFile> others) {
        ClassFiles files = new ClassFiles(loader);
        files.known.putAll(known);
        others.forEach(other -> files.known.put(other.name(), Optional.of(other)));
        return files;
    }

    /** The bytes of a file, or null when there is none. */
    byte @Nullable [] bytes(String path) {
        try (InputStream stream = loader.getResourceAsStream(path)) {
            return stream == null ? null : stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    /** The version that Kafka's own jars carry. */
    String kafkaVersion() {
        Properties properties = new Properties();
        try (InputStream stream = loader.getResourceAsStream("kafka/kafka-version.properties")) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException e) {
            // Then it stays unknown: the version is for messages only, the class files decide.
        }
        return properties.getProperty("version", "(unknown version)");
    }
}
