/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.api.Test;

/** A broker on a JDK whose class files are newer than Byte Buddy knows. */
class ClassFilesTest {
    private static final int MAJOR_VERSION_AT = 6;
    private static final byte MAJOR_VERSION_OF_JAVA_55 = 99;

    private final ClassFiles classFiles = new ClassFiles(new NewerJdk());

    private static final class NewerJdk extends ClassLoader {
        NewerJdk() {
            super(ClassFilesTest.class.getClassLoader());
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            try (InputStream stream = requireNonNull(super.getResourceAsStream(name), name)) {
                byte[] bytes = stream.readAllBytes();
                if (name.startsWith("java/")) {
                    bytes[MAJOR_VERSION_AT + 1] = MAJOR_VERSION_OF_JAVA_55;
                }
                return new ByteArrayInputStream(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void theReferencesOfOurClassesLeadIntoTheJdk() {
        assertThat(References.missing(classFiles, List.of(FlushAdvice.class.getName(), PatchConfigs.class.getName())))
                .isEmpty();
        assertThat(requireNonNull(classFiles.type("java.lang.Object")).methods())
                .anyMatch(method -> method.is("hashCode", "()I"));
    }

    @Test
    void theTypesOfAdviceAreFound() {
        TypePool pool = TypePool.Default.of(classFiles.locator());
        assertThat(pool.describe("java.io.File").resolve().getDeclaredMethods()).isNotEmpty();
    }
}
