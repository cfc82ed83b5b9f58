/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The threads and system calls of flushing by rate: one worker for each disk of a log directory, and everything that
 * those workers ask of the operating system.
 *
 * <p>This package knows threads, clocks and files, but no type of Kafka's: a worker sees a log as a
 * {@link io.evenkeel.flush.disk.PacedLog}.
 */
@NullMarked
package io.evenkeel.flush.disk;

import org.jspecify.annotations.NullMarked;
