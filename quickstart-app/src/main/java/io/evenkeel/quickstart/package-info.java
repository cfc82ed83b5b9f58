/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The main job, to be watched: a real broker with the agent, records that flow, and a check at the end that each of
 * them came back.
 */
@NullMarked
package io.evenkeel.quickstart;

import org.jspecify.annotations.NullMarked;
