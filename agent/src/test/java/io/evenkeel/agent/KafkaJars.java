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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** A class path with one Kafka version's jars and all that the tests have but Kafka; a class may be doctored. */
final class KafkaJars extends URLClassLoader {
    private final Map<String, byte[]> doctored;

    private KafkaJars(URL[] urls, Map<String, byte[]> doctored) {
        super(urls, ClassLoader.getPlatformClassLoader());
        this.doctored = doctored;
    }

    /** Read by {@code @MethodSource}; {@code agent/check-newer-kafka} asks for another version. */
    static List<String> versions() throws IOException {
        String newer = System.getProperty("newer.kafka");
        return newer != null ? List.of(newer) : supportedVersions();
    }

    static List<String> supportedVersions() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/kafka-versions.txt"));
    }

    static KafkaJars of(String version) {
        return new KafkaJars(urls(version), Map.of());
    }

    /** These jars, but with other bytes for one class; no bytes at all remove it. */
    KafkaJars with(String className, byte[] bytes) {
        return new KafkaJars(getURLs(), Map.of(className.replace('.', '/') + ".class", bytes));
    }

    /** These jars, but one class has other names or descriptors for its members. */
    KafkaJars with(String className, UnaryOperator<Member> change) {
        return with(className, changed(bytes(className), change));
    }

    record Member(int access, String name, String descriptor) {}

    static byte[] changed(byte[] classFile, UnaryOperator<Member> change) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public FieldVisitor visitField(
                                    int access, String name, String descriptor, String signature, Object value) {
                                Member to = change.apply(new Member(access, name, descriptor));
                                return super.visitField(to.access, to.name, to.descriptor, signature, value);
                            }

                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] exceptions) {
                                Member to = change.apply(new Member(access, name, descriptor));
                                return super.visitMethod(to.access, to.name, to.descriptor, signature, exceptions);
                            }
                        },
                        0);
        return writer.toByteArray();
    }

    byte[] bytes(String className) {
        try (InputStream stream = getResourceAsStream(className.replace('.', '/') + ".class")) {
            return requireNonNull(stream, className).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        byte[] bytes = doctored.get(name);
        if (bytes == null) {
            return super.getResourceAsStream(name);
        }
        return bytes.length == 0 ? null : new ByteArrayInputStream(bytes);
    }

    private static URL[] urls(String version) {
        try (Stream<Path> jars = Files.list(Path.of("target/kafka", version))) {
            return Stream.concat(
                            jars,
                            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                    .map(Path::of)
                                    .filter(path -> !path.toString().contains("/org/apache/kafka/")))
                    .map(KafkaJars::url)
                    .toArray(URL[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
