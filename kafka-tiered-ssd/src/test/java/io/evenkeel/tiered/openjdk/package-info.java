/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What OpenJDK's tests of {@link java.nio.channels.FileChannel} open their files with, so that the channels are those
 * of segments. {@code integration-tests/others/openjdk-filechannel} names these classes in a copy of the tests.
 */
@NullMarked
package io.evenkeel.tiered.openjdk;

import org.jspecify.annotations.NullMarked;
