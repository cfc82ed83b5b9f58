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
 * The names of a log, its records and a position in its index in this Kafka version: {@code UnifiedLog} moved in 4.1
 * and {@code MemoryRecords} in 4.3, and {@code OffsetPosition} became a record in 4.2. Stateless.
 *
 * <p>The agent's check of references does not see names in strings. So a test uses all in every supported version, and
 * this class is initialized at the start.
 */
final class KafkaLogs {
    private static final MethodHandle FLUSH = flush();
    private static final MethodHandle BUFFER = buffer();

    private KafkaLogs() {}

    /** Throws {@link ExceptionInInitializerError} when this Kafka version has neither of the known names. */
    static void requireKnownKafka() {}

    /** Kafka's own flush of a whole log: outside the partition's lock, and with Kafka's own handling of errors. */
    static void flush(Object unifiedLog) {
        try {
            FLUSH.invokeExact(unifiedLog, false);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // not declared, but Scala code may throw any exception
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

    /** The old name first: 4.0 has an unrelated class with the new name. */
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
