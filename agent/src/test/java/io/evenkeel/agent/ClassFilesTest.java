/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.api.Test;

/** A broker on a JDK that is newer than Byte Buddy knows. */
class ClassFilesTest {
    private static final String BYTE_BUDDYS_READER = "net.bytebuddy.processor";
    private static final int HOOK_POINTS = 45;

    private final NewerJdk newerJdk = new NewerJdk();
    private final ClassFiles classFiles = new ClassFiles(newerJdk);

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

    /**
     * On such a JDK, Byte Buddy changes to a reader that uses the JDK's own class file API. The shipped jar does not
     * have this reader, and neither has a jar of Byte Buddy's on an older JDK.
     */
    @Test
    void adviceIsWovenWithTheReaderThatTheJarBringsAlong() throws Exception {
        System.setProperty(BYTE_BUDDYS_READER, "CLASS_FILE_API_ONLY");
        try {
            Callable<?> weaving = (Callable<?>) newerJdk.loadClass(Weaving.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(weaving.call()).isEqualTo(HOOK_POINTS);
        } finally {
            System.clearProperty(BYTE_BUDDYS_READER);
        }
    }

    /** Loaded by {@link NewerJdk}: checks two patches, weaves each of their hook points, and counts them. */
    public static final class Weaving implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            ClassFiles files = new ClassFiles(Weaving.class.getClassLoader());
            int woven = 0;
            for (Patch patch : List.of(TieredSsdPatch.patch(), FlushRatelimitPatch.patch())) {
                try (Weaver weaver = new FakeInstrumentation().weaver(files.loader(), patch)) {
                    for (Weaver.Site site : weaver.check(patch).sites()) {
                        weave(site, files);
                        woven++;
                    }
                }
            }
            return woven;
        }

        private static void weave(Weaver.Site site, ClassFiles files) {
            byte[] stock = requireNonNull(files.bytes(site.owner().replace('.', '/') + ".class"));
            AdvisedClass advised = new AdvisedClass(ClassFile.read(stock), stock, files.locator());
            advised.advise(site.target(), site.hookPoint().advice());
            assertThat(advised.toByteArray()).isNotEqualTo(stock);
        }
    }
}
