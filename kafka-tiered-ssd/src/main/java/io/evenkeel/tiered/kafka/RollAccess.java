/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.lang.invoke.MethodType.methodType;

import io.evenkeel.tiered.api.OpenRequest;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.channels.FileChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.RollParams;

/**
 * Reads the active segment's channel and the append's newest timestamp, which decide whether a log rolls. Kafka
 * versions differ: {@code FileRecords} moved in 4.3, and {@code RollParams} became a record in 4.2. Stateless;
 * allocates nothing.
 *
 * <p>The agent's check of references does not see names in strings. So a test reads both in every supported version,
 * and the class is initialized at the start.
 */
final class RollAccess {
    private static final MethodHandle CHANNEL = channel();
    private static final MethodHandle DATA_TIME = dataTime();

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

    /** The newest timestamp of the records to append, or {@link OpenRequest#UNKNOWN_TIME} when they have none. */
    static long dataTimeMs(RollParams append) {
        try {
            long timeMs = (long) DATA_TIME.invokeExact(append);
            return timeMs < 0 ? OpenRequest.UNKNOWN_TIME : timeMs;
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

    private static MethodHandle dataTime() {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        String name = "maxTimestampInMessages";
        try {
            return RollParams.class.isRecord()
                    ? lookup.findVirtual(RollParams.class, name, methodType(long.class))
                    : lookup.findGetter(RollParams.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
