/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The quickstart: runs a real broker with the agent, produces and consumes records, shows the tier at work, and
 * verifies every record at the end.
 */
@NullMarked
package io.evenkeel.quickstart;

import org.jspecify.annotations.NullMarked;
