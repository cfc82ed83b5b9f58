/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;

import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import org.jspecify.annotations.Nullable;

/** Stands behind {@link TieredSsdHooks} in a test's class loader and notes who comes in. */
public final class Door {
    static final List<String> CALLS = new ArrayList<>();
    static @Nullable FileChannel channelToOpen;
    static boolean rolls;
    /** Of any segment's files; asked for all the time, so it is not noted who asks. */
    static @Nullable String fileNamePrefix;

    private Door() {}

    /** The class file of a {@link TieredSsdHooks} that does nothing but {@link #called}. */
    static byte[] classFile() {
        return new ByteBuddy()
                .redefine(TieredSsdHooks.class)
                .method(isStatic())
                .intercept(MethodDelegation.to(Door.class))
                .make()
                .getBytes();
    }

    /** Public for the redefined hooks, which live in another class loader. */
    @RuntimeType
    public static @Nullable Object called(@Origin Method method, @AllArguments Object[] arguments) {
        if (method.getName().equals("fileNamePrefix")) {
            return fileNamePrefix;
        }
        CALLS.add(method.getName() + Arrays.toString(arguments));
        return switch (method.getName()) {
            case "open" -> channelToOpen;
            case "shouldRoll" -> rolls;
            default -> null;
        };
    }
}
