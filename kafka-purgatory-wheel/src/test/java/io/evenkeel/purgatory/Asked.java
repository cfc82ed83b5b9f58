/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Completes each request that it is asked about. For a while it can only record these requests instead. */
final class Asked implements Predicate<Request> {
    private final List<Integer> ids = new ArrayList<>();
    private boolean listening;

    /** The ids of the requests under a key, sorted. */
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
