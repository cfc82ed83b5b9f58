/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/** A timeout that failure messages can name. */
final class NumberedTimeout extends Timeout {
    final int number;

    NumberedTimeout(int number) {
        this.number = number;
    }

    @Override
    public String toString() {
        return "timeout " + number;
    }
}
