/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Completes whom it is asked about, and can be told to complete nobody for a while, but to remember who was asked. */
final class Asked implements Predicate<Request> {
    private final List<Integer> ids = new ArrayList<>();
    private boolean listening;

    /** The ids of those who wait under a key, sorted. */
    <K> List<Integer> under(WatchLists<K, Request> lists, K key) {
        ids.clear();
        listening = true;
        lists.checkAndComplete(key);
        listening = false;
        Collections.sort(ids);
        return List.copyOf(ids);
    }

    @Override
    public boolean test(Request request) {
        if (listening) {
            ids.add(request.id);
            return false;
        }
        return request.safeTryComplete();
    }
}
