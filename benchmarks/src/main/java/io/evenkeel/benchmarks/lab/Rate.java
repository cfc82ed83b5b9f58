/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

/** The rate at which records are produced, over time. Stateless. */
@FunctionalInterface
public interface Rate {
    /**
     * The rate at an instant.
     *
     * @param nanos since the load began
     */
    long bytesPerSecond(long nanos);
}
