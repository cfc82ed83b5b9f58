/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static java.lang.invoke.MethodType.methodType;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
    private static final int FIRST_JDK_WITH_ARENAS = 22;

    /** Null where this JVM has no way to remove a mapping at once. */
    private static final @Nullable Mapping MAPPING = mapping();

    private PageResidency() {}

    /**
     * Reads nothing from the disk.
     *
     * <p>Requires: nobody truncates the file meanwhile, as a mapping beyond its end would lengthen it.
     *
     * @return false also where it is not known
     */
    public static boolean isResident(FileChannel channel, long position, long most) {
        if (MAPPING == null) {
            return false;
        }
        try {
            long bytes = Math.min(most, channel.size() - position);
            return bytes <= 0 || MAPPING.isLoaded(channel, position, bytes); // without bytes nothing will be read
        } catch (IOException noMapping) {
            return false;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // not declared by the methods behind the handles
        }
    }

    private static @Nullable Mapping mapping() {
        try {
            return Runtime.version().feature() >= FIRST_JDK_WITH_ARENAS ? new InArena() : new Unmapped();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /** Maps a part of a file, looks, and removes the mapping. */
    private interface Mapping {
        boolean isLoaded(FileChannel channel, long position, long bytes) throws Throwable;
    }

    /** The JDK's own way. {@code Unsafe} would do as well, but since JDK 24 the JVM warns about it. */
    private static final class InArena implements Mapping {
        private final MethodHandle open;
        private final MethodHandle isLoaded;

        InArena() throws ReflectiveOperationException {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            MethodType map = methodType(segment, FileChannel.MapMode.class, long.class, long.class, arena);
            open = lookup.findStatic(arena, "ofConfined", methodType(arena)).asType(methodType(AutoCloseable.class));
            MethodHandle loaded = MethodHandles.filterReturnValue(
                    lookup.findVirtual(FileChannel.class, "map", map),
                    lookup.findVirtual(segment, "isLoaded", methodType(boolean.class)));
            isLoaded = loaded.asType(loaded.type().changeParameterType(4, AutoCloseable.class));
        }

        @Override
        public boolean isLoaded(FileChannel channel, long position, long bytes) throws Throwable {
            try (AutoCloseable arena = (AutoCloseable) open.invokeExact()) {
                return (boolean) isLoaded.invokeExact(channel, FileChannel.MapMode.READ_ONLY, position, bytes, arena);
            }
        }
    }

    private static final class Unmapped implements Mapping {
        private final MethodHandle unmap;

        Unmapped() throws ReflectiveOperationException {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            unmap = MethodHandles.lookup()
                    .unreflect(type.getMethod("invokeCleaner", ByteBuffer.class))
                    .bindTo(field.get(null));
        }

        @Override
        public boolean isLoaded(FileChannel channel, long position, long bytes) throws Throwable {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, position, bytes);
            try {
                return mapped.isLoaded();
            } finally {
                unmap.invokeExact((ByteBuffer) mapped);
            }
        }
    }
}
