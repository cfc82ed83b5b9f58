/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.nio.file.Path;

/** What Kafka wrote into a log directory when it was formatted. Immutable. */
public record LogDirMeta(Path path, String directoryId, String clusterId, String nodeId) {}
