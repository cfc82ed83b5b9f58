/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The guarantees of the patches, tested on real brokers. There is a package for each subject; this one holds what
 * several of them use.
 */
@NullMarked
package io.evenkeel.it;

import org.jspecify.annotations.NullMarked;
