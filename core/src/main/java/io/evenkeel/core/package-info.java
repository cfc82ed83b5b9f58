/**
 * Code that two or more patches share: rate arithmetic, a worker thread, rates over the last minute, config keys.
 *
 * <p>Uses java.base only. Time is an argument everywhere except in {@link io.evenkeel.core.Worker}, the only class that
 * reads a clock and parks a thread.
 */
@NullMarked
package io.evenkeel.core;

import org.jspecify.annotations.NullMarked;
