/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;

/** What Kafka wrote into a log directory when it was formatted. Immutable. */
public record LogDirIdentity(Path path, String directoryId, String clusterId, String nodeId) {}
