/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;

/** A segment's file on an SSD. */
record SsdFile(SsdDir dir, Path path) {}
