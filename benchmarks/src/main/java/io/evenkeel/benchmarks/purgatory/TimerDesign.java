/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

/** A timer under load; several threads share it, each through a client of its own. */
interface TimerDesign extends AutoCloseable {
    /** What one thread does with a timer. Its tasks are numbered, and it is up to the design how one is remembered. */
    interface Client {
        /** Has a new task of that number run after that time; what had the number before is forgotten. */
        void add(int number, long delayMs);

        /** Keeps that task from being run; does nothing when it was run. */
        void cancel(int number);

        /** Runs what is due, for timers without a thread of their own. */
        default void poll() {}
    }

    /**
     * What the calling thread uses.
     *
     * @param whenDue what each task does, not on the client's thread when the timer has one of its own
     */
    Client client(int tasks, Runnable whenDue);

    @Override
    void close();

    /** {@code kafka} is whatever has Kafka's name on the class path. */
    static TimerDesign named(String name) {
        return switch (name) {
            case "kafka" -> new KafkaTimerDesign();
            case "delayQueue" -> new DelayQueueTimerDesign();
            case "executor" -> new ExecutorTimerDesign();
            case "netty" -> new NettyTimerDesign();
            case "agrona" -> new AgronaTimerDesign();
            case "empty" -> new EmptyTimerDesign();
            default -> throw new IllegalArgumentException("no such timer: " + name);
        };
    }
}
