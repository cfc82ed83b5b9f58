/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;

/**
 * Reads the active segment's channel and the size of the append, which decide whether a log rolls. Kafka versions
 * differ: {@code FileRecords} moved in 4.3, and {@code RollParams} became a record in 4.2. Stateless; allocates
 * nothing.
 *
 * <p>The agent's check of references does not see names in strings. So a test reads both in every supported version,
 * and the class is initialized at the start.
 */
final class RollAccess {
    private static final MethodHandle CHANNEL = channel();
    private static final MethodHandle APPEND_BYTES = appendBytes();
    private static final MethodHandle RECORDS_BYTES = recordsBytes();

    private RollAccess() {}

    /** Throws {@link ExceptionInInitializerError} when this Kafka version is not one of the known ones. */
    static void requireKnownKafka() {}

    /** The channel of the segment that would be appended to. */
    static FileChannel channel(LogSegment active) {
        try {
            return (FileChannel) CHANNEL.invokeExact(active);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // neither method has a throws clause
        }
    }

    /** The size of the records to append. */
    static int appendBytes(RollParams append) {
        try {
            return (int) APPEND_BYTES.invokeExact(append);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The size of the {@code MemoryRecords} that {@code LocalLog.append} gets. */
    static int sizeInBytes(Object records) {
        try {
            return (int) RECORDS_BYTES.invokeExact(records);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle channel() {
        try {
            Class<?> records = LogSegment.class.getMethod("log").getReturnType();
            MethodHandle log = MethodHandles.publicLookup().findVirtual(LogSegment.class, "log", methodType(records));
            MethodHandle channel =
                    MethodHandles.publicLookup().findVirtual(records, "channel", methodType(FileChannel.class));
            return MethodHandles.filterReturnValue(log, channel);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle appendBytes() {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        String name = "messagesSize";
        try {
            return RollParams.class.isRecord()
                    ? lookup.findVirtual(RollParams.class, name, methodType(int.class))
                    : lookup.findGetter(RollParams.class, name, int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle recordsBytes() {
        try {
            Class<?> records = Arrays.stream(LocalLog.class.getMethods())
                    .filter(method -> method.getName().equals("append"))
                    .findFirst()
                    .orElseThrow()
                    .getParameterTypes()[1];
            return MethodHandles.publicLookup()
                    .findVirtual(records, "sizeInBytes", methodType(int.class))
                    .asType(methodType(int.class, Object.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
