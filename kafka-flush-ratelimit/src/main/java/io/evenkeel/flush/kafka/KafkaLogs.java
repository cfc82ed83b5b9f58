/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.storage.internals.log.LocalLog;

/**
 * What this Kafka version calls a log and its records: {@code UnifiedLog} moved in 4.1 and {@code MemoryRecords} in
 * 4.3. Stateless.
 *
 * <p>The check of references does not see names in strings, so a test reads both in every supported version, and the
 * class is initialized at the start.
 */
final class KafkaLogs {
    private static final MethodHandle FLUSH = flush();
    private static final MethodHandle BUFFER = buffer();

    private KafkaLogs() {}

    /** Throws {@link ExceptionInInitializerError} when this Kafka version has it in none of the known ways. */
    static void requireKnownKafka() {}

    /**
     * Kafka's own flush of all that a log has: without the partition's lock, and with Kafka's own ways when it fails.
     */
    static void flush(Object unifiedLog) {
        try {
            FLUSH.invokeExact(unifiedLog, false);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // not declared, but Scala can throw what it wants
        }
    }

    static ByteBuffer buffer(Object memoryRecords) {
        try {
            return (ByteBuffer) BUFFER.invokeExact(memoryRecords);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle flush() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(unifiedLog(), "flush", methodType(void.class, boolean.class))
                    .asType(methodType(void.class, Object.class, boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The old one first: 4.0 has a class of the new name that is no log. */
    private static Class<?> unifiedLog() throws ClassNotFoundException {
        ClassLoader loader = KafkaLogs.class.getClassLoader();
        try {
            return Class.forName("kafka.log.UnifiedLog", false, loader);
        } catch (ClassNotFoundException movedIn41) {
            return Class.forName("org.apache.kafka.storage.internals.log.UnifiedLog", false, loader);
        }
    }

    private static MethodHandle buffer() {
        try {
            Method append = Arrays.stream(LocalLog.class.getMethods())
                    .filter(method -> method.getName().equals("append"))
                    .findAny()
                    .orElseThrow(() -> new NoSuchMethodException("LocalLog.append"));
            return MethodHandles.publicLookup()
                    .findVirtual(append.getParameterTypes()[1], "buffer", methodType(ByteBuffer.class))
                    .asType(methodType(ByteBuffer.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
