/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.evenkeel.it.TestClasses;
import io.evenkeel.testkit.BrokerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;

/**
 * A broker on the shipped jar that skips one fsync and stops after a given step, so that a test can cut the power
 * there. Only its file operations differ: a rewritten class comes first on the class path.
 */
final class LeftOutFsync {
    private static final String FILE_OPS = "io.evenkeel.tiered.file.FileOps";

    private LeftOutFsync() {}

    /**
     * @param fsync the method of the tier whose fsync is skipped, as {@code Class.method}; {@code none} skips nothing
     * @param stopAfter the method of the tier whose rename or deletion is the broker's last step
     * @param stopAt which of these renames and deletions, counted from 1
     */
    static BrokerConfig of(BrokerConfig config, Path dir, String fsync, String stopAfter, int stopAt)
            throws IOException {
        Path classes = Files.createDirectories(dir.resolve("left-out"));
        Path agent = Path.of(System.getProperty("agent.jar"));
        try (ClassFileLocator locator = new ClassFileLocator.Compound(
                ClassFileLocator.ForJarFile.of(agent.toFile()), ClassFileLocator.ForClassLoader.ofSystemLoader())) {
            new ByteBuddy()
                    .redefine(TypePool.Default.of(locator).describe(FILE_OPS).resolve(), locator)
                    .visit(Advice.to(Fsync.class).on(named("force").or(named("fsyncDirectory"))))
                    .visit(Advice.to(Step.class).on(named("rename").or(named("deleteIfExists"))))
                    .make()
                    .saveIn(classes.toFile());
        }
        List<String> flags = new ArrayList<>(config.jvmFlags());
        flags.add("-D" + FsyncHook.FSYNC + "=" + fsync);
        flags.add("-D" + FsyncHook.STOP_AFTER + "=" + stopAfter);
        flags.add("-D" + FsyncHook.STOP_AT + "=" + stopAt);
        return config.withJvmFlags(flags).withPatchedLibs(List.of(classes, TestClasses.dir()));
    }

    /** Woven into the methods that call fsync. */
    static final class Fsync {
        private Fsync() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return FsyncHook.isLeftOut();
        }
    }

    /** Woven into the methods that rename or delete. */
    static final class Step {
        private Step() {}

        @Advice.OnMethodExit
        static void exit() throws IOException, InterruptedException {
            FsyncHook.done();
        }
    }
}
