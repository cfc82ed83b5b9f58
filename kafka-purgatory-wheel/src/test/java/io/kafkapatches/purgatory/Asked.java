/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A completion that can be told to complete nobody for a while, but to remember who was asked. */
final class Asked implements Completion<Request> {
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
    public boolean isCompleted(Request request) {
        return !listening && request.isCompleted();
    }

    @Override
    public boolean tryComplete(Request request) {
        if (listening) {
            ids.add(request.id);
            return false;
        }
        return Request.COMPLETION.tryComplete(request);
    }
}
