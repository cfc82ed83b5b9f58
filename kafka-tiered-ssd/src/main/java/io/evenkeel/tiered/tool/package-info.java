/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The command line tool for operators. It knows only what it reads from the disks of a running or stopped broker.
 *
 * <p>Each command makes a report, a record whose components are the fields of {@code --json}; the tables show the same
 * values. The argument parser, the JSON library and the admin client are those in a broker's {@code libs/}. No other
 * package imports this one.
 */
@NullMarked
package io.evenkeel.tiered.tool;

import org.jspecify.annotations.NullMarked;
