/* SPDX-License-Identifier: Apache-2.0 */

/** Brokers and clients on disks and memory of bounded size and speed: what waits for what. */
@NullMarked
package io.evenkeel.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
