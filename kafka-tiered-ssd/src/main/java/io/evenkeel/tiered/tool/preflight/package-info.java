/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The checks of {@code preflight}: what a start with the tier would find, without a start. Nothing here changes a file.
 *
 * <p>What would refuse a start is asked of the code that would refuse it: the agent, the config of each patch, and the
 * tier's start. The rest are warnings.
 */
@NullMarked
package io.evenkeel.tiered.tool.preflight;

import org.jspecify.annotations.NullMarked;
