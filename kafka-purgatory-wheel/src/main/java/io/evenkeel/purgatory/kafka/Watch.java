/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import io.evenkeel.purgatory.Timeout;
import io.evenkeel.purgatory.Watched;

/** What an operation is under its keys: apart from the operation, so that a task without keys is smaller. */
public final class Watch<T extends Timeout> extends Watched {
    public final T operation;

    public Watch(T operation) {
        super(operation);
        this.operation = operation;
    }
}
