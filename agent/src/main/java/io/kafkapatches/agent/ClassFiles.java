/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/** What a class path holds, read from its files: no class is loaded by looking at it. Thread safe. */
final class ClassFiles {
    private final ClassLoader loader;
    private final ClassFileLocator locator;
    private final TypePool pool;

    ClassFiles(ClassLoader loader) {
        this.loader = loader;
        this.locator = ClassFileLocator.ForClassLoader.of(loader);
        this.pool = TypePool.Default.of(locator);
    }

    ClassLoader loader() {
        return loader;
    }

    ClassFileLocator locator() {
        return locator;
    }

    /** The class of that name, or null when there is none. */
    @Nullable
    TypeDescription type(String name) {
        TypePool.Resolution resolution = pool.describe(name);
        return resolution.isResolved() ? resolution.resolve() : null;
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
