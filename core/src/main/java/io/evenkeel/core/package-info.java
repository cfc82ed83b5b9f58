/**
 * What two or more patches need: rate arithmetic, a worker thread, the last minute of a number, the spelling of config
 * keys.
 *
 * <p>Knows java.base only. Time is an argument everywhere but in {@link io.evenkeel.core.Worker}, the one place that
 * reads a clock and parks a thread.
 */
@NullMarked
package io.evenkeel.core;

import org.jspecify.annotations.NullMarked;
