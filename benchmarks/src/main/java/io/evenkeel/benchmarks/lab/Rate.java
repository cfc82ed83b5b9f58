/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

/** How much is produced when. Stateless. */
@FunctionalInterface
public interface Rate {
    /**
     * At an instant.
     *
     * @param nanos since the load began
     */
    long bytesPerSecond(long nanos);
}
