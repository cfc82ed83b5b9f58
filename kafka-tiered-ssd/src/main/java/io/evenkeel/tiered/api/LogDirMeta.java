/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.nio.file.Path;

/** The identity that Kafka gave to a log directory when it formatted it. Immutable. */
public record LogDirMeta(Path path, String directoryId, String clusterId, String nodeId) {}
