/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The command line tool for operators: it reads the disks of a broker, which may be running or not, and knows nothing
 * that is not there to see.
 *
 * <p>Each command makes a report, a record whose components are the fields of {@code --json}; tables for people are
 * made of the same. The parser, the JSON and the client are those in a broker's {@code libs/}. Nothing else imports
 * this package.
 */
@NullMarked
package io.evenkeel.tiered.tool;

import org.jspecify.annotations.NullMarked;
