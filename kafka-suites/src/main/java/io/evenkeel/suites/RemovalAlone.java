/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.File;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import org.apache.kafka.common.utils.Utils;

/**
 * Has the tiers stand still while {@link Utils#delete(File)} removes a directory: tests call it for the directory of a
 * log that is still open, and a copy that begins there meanwhile is a file that the removal does not know. A broker
 * gives such a directory a name that ends with {@code -delete} first, and nothing is copied there. Stateless.
 */
public final class RemovalAlone {
    private RemovalAlone() {}

    /** For the rest of this JVM's life. */
    static void weave() {
        new ByteBuddy()
                .redefine(Utils.class)
                .visit(Advice.to(RemovalAlone.class).on(named("delete").and(takesArguments(File.class))))
                .make()
                .load(Utils.class.getClassLoader(), ClassReloadingStrategy.of(ByteBuddyAgent.install()));
    }

    /** Woven into Kafka's code, as is the next. */
    @Advice.OnMethodEnter
    public static void begins() {
        TieredSsdHooks.removalBegins();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    public static void ends() {
        TieredSsdHooks.removalEnds();
    }
}
