/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * Reads the in-sync replicas out of what a broker is told of a partition that it follows: a
 * {@code PartitionRegistration} since Kafka 4.2, a {@code LeaderAndIsrRequest.PartitionState} before. Stateless.
 *
 * <p>The agent's check of references does not see names in strings. So a test reads both.
 */
final class InSync {
    private InSync() {}

    /** The ids of their brokers. */
    static List<?> of(Object told) {
        return told instanceof PartitionRegistration registration
                ? Arrays.stream(registration.isr).boxed().toList()
                : Before42.isr(told);
    }

    /** Loaded only where that class is. */
    private static final class Before42 {
        private static final MethodHandle ISR = find();

        private Before42() {}

        static List<?> isr(Object told) {
            try {
                return (List<?>) ISR.invoke(told);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e); // the method has no throws clause
            }
        }

        private static MethodHandle find() {
            try {
                Class<?> state = Class.forName("org.apache.kafka.common.requests.LeaderAndIsrRequest$PartitionState");
                return MethodHandles.publicLookup().findVirtual(state, "isr", methodType(List.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
