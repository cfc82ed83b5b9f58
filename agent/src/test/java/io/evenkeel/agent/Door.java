/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;

import io.evenkeel.core.kafka.ConfigHooks;
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

/** Stands behind {@link TieredSsdHooks} and {@link ConfigHooks} in a test's class loader and notes each call. */
public final class Door {
    private static final List<Class<?>> FAKED = List.of(TieredSsdHooks.class, ConfigHooks.class);

    static final List<String> CALLS = new ArrayList<>();
    static @Nullable FileChannel channelToOpen;
    static boolean rolls;
    /** Of any segment's files; asked for all the time, so these calls are not noted. */
    static @Nullable String fileNamePrefix;

    private Door() {}

    /** Whether this stands in for a class of that name. */
    static boolean isFaked(String name) {
        return FAKED.stream().anyMatch(faked -> faked.getName().equals(name));
    }

    /** The class file of one of them that does nothing but {@link #called}. */
    static byte[] classFile(String name) {
        return new ByteBuddy()
                .redefine(FAKED.stream()
                        .filter(faked -> faked.getName().equals(name))
                        .findAny()
                        .orElseThrow())
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
