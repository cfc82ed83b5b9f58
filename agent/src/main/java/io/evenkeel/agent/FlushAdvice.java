/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.flush.kafka.FlushRatelimitHooks;
import java.io.File;
import java.io.IOException;
import net.bytebuddy.asm.Advice;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The advice of {@link FlushRatelimitPatch}. Stateless.
 *
 * <p>Each advice is one call through the door, {@link FlushRatelimitHooks}. Nothing is suppressed: an exception that
 * the door throws reaches the broker as if stock had thrown it.
 */
final class FlushAdvice {
    private FlushAdvice() {}

    static final class Opened {
        @Advice.OnMethodExit
        static void exit(@Advice.This Object log, @Advice.Argument(1) LocalLog localLog) {
            FlushRatelimitHooks.opened(log, localLog);
        }
    }

    static final class Ending {
        @Advice.OnMethodEnter
        static void enter(@Advice.This Object log) {
            FlushRatelimitHooks.ending(log);
        }
    }

    static final class Failed {
        @Advice.OnMethodEnter
        static void enter(@Advice.This LocalLog log) {
            FlushRatelimitHooks.failed(log);
        }
    }

    static final class Renamed {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Argument(0) String name) {
            FlushRatelimitHooks.renamed(log, name);
        }
    }

    static final class Flushed {
        @Advice.OnMethodEnter
        static void enter(@Advice.This LocalLog log, @Advice.Argument(value = 0, readOnly = false) long offset) {
            offset = FlushRatelimitHooks.recoveryPoint(log, offset);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Argument(0) long offset) {
            FlushRatelimitHooks.flushed(log, offset);
        }
    }

    static final class FlushIndex {
        /** Kafka's own code is skipped when that is done. */
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("file") File file) throws IOException {
            return FlushRatelimitHooks.flushesIndex(file);
        }
    }

    static final class Truncated {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log) {
            FlushRatelimitHooks.truncated(log);
        }
    }

    static final class Cleared {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log) {
            FlushRatelimitHooks.cleared(log);
        }
    }

    static final class Written {
        @Advice.OnMethodEnter
        static long enter(@Advice.This LocalLog log) {
            return log.logEndOffset();
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.This LocalLog log,
                @Advice.Enter long firstOffset,
                @Advice.Argument(0) long lastOffset,
                @Advice.Argument(1) Object records) {
            FlushRatelimitHooks.written(log, firstOffset, lastOffset, records);
        }
    }

    static final class UnflushedMessages {
        @Advice.OnMethodExit
        static void exit(@Advice.This LocalLog log, @Advice.Return(readOnly = false) long messages) {
            messages = FlushRatelimitHooks.unflushedMessages(log, messages);
        }
    }

    static final class FlushSegment {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(
                @Advice.This LogSegment segment, @Advice.Thrown(readOnly = false) @Nullable Throwable failure) {
            failure = FlushRatelimitHooks.segmentFlushed(segment, failure);
        }
    }

    static final class Request {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(1) AppendOrigin origin) {
            FlushRatelimitHooks.requestBegins(origin);
        }
    }

    static final class Leads {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("log") Option<?> log, @Advice.Argument(0) Object records) {
            FlushRatelimitHooks.leads(log, records);
        }
    }
}
