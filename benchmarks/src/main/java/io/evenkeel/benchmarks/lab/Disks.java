/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.nio.file.Path;

/**
 * Where an HDD and an SSD are mounted, and their devices' names as in {@code /sys/block}. Immutable.
 *
 * @param hddDevice empty when nobody knows, as {@code ssdDevice}
 */
public record Disks(Path hdd, String hddDevice, Path ssd, String ssdDevice) {}
