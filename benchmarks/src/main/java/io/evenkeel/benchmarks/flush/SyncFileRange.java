/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Linux's system call of that name, through the Foreign Function API of JDK 22 and newer. Uses reflection, because the
 * code is compiled for JDK 17. Thread safe.
 */
final class SyncFileRange {
    /** {@code SYNC_FILE_RANGE_WRITE}: starts to write, and waits only for room in the device's queue. */
    private static final int WRITE = 2;

    private static final int FIRST_JDK = 22;
    private static final String FOREIGN = "java.lang.foreign.";

    private final MethodHandle call;

    /** @throws UnsupportedOperationException when this JVM cannot call it, see {@link #isThere()} */
    SyncFileRange() {
        try {
            this.call = link();
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("no sync_file_range", e);
        }
    }

    static boolean isThere() {
        return Runtime.version().feature() >= FIRST_JDK;
    }

    private static MethodHandle link() throws ReflectiveOperationException {
        Class<?> layoutType = Class.forName(FOREIGN + "MemoryLayout");
        Class<?> addressType = Class.forName(FOREIGN + "MemorySegment");
        Class<?> descriptorType = Class.forName(FOREIGN + "FunctionDescriptor");
        Class<?> linkerType = Class.forName(FOREIGN + "Linker");
        Class<?> values = Class.forName(FOREIGN + "ValueLayout");
        Object number = values.getField("JAVA_INT").get(null);
        Object offset = values.getField("JAVA_LONG").get(null);
        Object arguments = Array.newInstance(layoutType, 4);
        Object[] types = {number, offset, offset, number};
        System.arraycopy(types, 0, arguments, 0, types.length);
        Object descriptor =
                descriptorType.getMethod("of", layoutType, arguments.getClass()).invoke(null, number, arguments);
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object lookup = linkerType.getMethod("defaultLookup").invoke(linker);
        Method find = Class.forName(FOREIGN + "SymbolLookup").getMethod("find", String.class);
        Object address = ((Optional<?>) find.invoke(lookup, "sync_file_range")).orElseThrow();
        Object noOptions = Array.newInstance(Class.forName(FOREIGN + "Linker$Option"), 0);
        return (MethodHandle) linkerType
                .getMethod("downcallHandle", addressType, descriptorType, noOptions.getClass())
                .invoke(linker, address, descriptor, noOptions);
    }

    void start(int fileDescriptor, long position, long bytes) throws IOException {
        int result;
        try {
            result = (int) call.invokeExact(fileDescriptor, position, bytes, WRITE);
        } catch (Throwable e) {
            throw new IllegalStateException("sync_file_range", e);
        }
        if (result != 0) {
            throw new IOException("sync_file_range failed on descriptor " + fileDescriptor);
        }
    }

    /** The descriptor of a file that this JVM has open. */
    static int descriptor(Path file) throws IOException {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.exists(descriptor) && Files.isSameFile(descriptor, file)) {
                    return Integer.parseInt(descriptor.getFileName().toString());
                }
            }
        }
        throw new IOException("not open: " + file);
    }
}
