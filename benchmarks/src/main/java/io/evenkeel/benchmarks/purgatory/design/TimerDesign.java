/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

/** A timer of any design. Several threads share it, each with a client of its own. */
public interface TimerDesign extends AutoCloseable {
    /** One thread's access to a timer. Its tasks are numbered; each design has its own record of them. */
    interface Client {
        /** Adds a new task with that number, which is due after the delay, and forgets an earlier one of the number. */
        void add(int number, long delayMs);

        /** Cancels a task; has no effect when the task has run. */
        void cancel(int number);

        /** Runs the tasks that are due, for timers without a thread of their own. */
        default void poll() {}
    }

    /**
     * The access of the calling thread.
     *
     * @param whenDue the action of each task; runs on the timer's own thread if it has one
     */
    Client client(int tasks, Runnable whenDue);

    @Override
    void close();

    /** {@code kafka} is the class with Kafka's name that is first on the class path. */
    static TimerDesign named(String name) {
        return switch (name) {
            case "kafka" -> new KafkaTimerDesign();
            case "delayQueue" -> new DelayQueueTimerDesign();
            case "executor" -> new ExecutorTimerDesign();
            case "netty" -> new NettyTimerDesign();
            case "agrona" -> new AgronaTimerDesign();
            case "empty" -> new EmptyTimerDesign();
            default -> throw new IllegalArgumentException("unknown timer: " + name);
        };
    }
}
