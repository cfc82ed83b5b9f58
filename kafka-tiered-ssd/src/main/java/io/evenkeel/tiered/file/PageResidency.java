/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Whether a part of a file is in the page cache, by mincore(2): Java has no such call, but a mapping answers it.
 * Stateless.
 */
public final class PageResidency {
    /** Removes a mapping at once; null where this JVM has no way to do that. */
    private static final @Nullable MethodHandle UNMAP = unmap();

    private PageResidency() {}

    /**
     * Reads nothing from the disk.
     *
     * <p>Requires: nobody truncates the file meanwhile, as a mapping beyond its end would lengthen it.
     *
     * @return false also where it is not known
     */
    public static boolean isResident(FileChannel channel, long position, long most) {
        if (UNMAP == null) {
            return false;
        }
        try {
            long bytes = Math.min(most, channel.size() - position);
            if (bytes <= 0) {
                return true; // nothing will be read
            }
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, position, bytes);
            try {
                return mapped.isLoaded();
            } finally {
                UNMAP.invokeExact((ByteBuffer) mapped);
            }
        } catch (IOException noMapping) {
            return false;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // not declared by the method behind the handle
        }
    }

    private static @Nullable MethodHandle unmap() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return MethodHandles.lookup()
                    .unreflect(type.getMethod("invokeCleaner", ByteBuffer.class))
                    .bindTo(field.get(null));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
