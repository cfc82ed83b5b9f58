/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A feature and where it is woven in: all of its hook points, or none. Immutable.
 *
 * @param name as operators know it
 * @param keyPrefix what all of its config keys start with
 * @param overrides takes the keys of the agent's {@code config} file
 */
record Patch(String name, String keyPrefix, Consumer<Map<String, String>> overrides, List<HookPoint> hookPoints) {}
