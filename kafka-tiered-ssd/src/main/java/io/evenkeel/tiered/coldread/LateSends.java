/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** The sends whose client has had more than its ceiling allows, until that is paid for. Thread safe; never waits. */
final class LateSends {
    private record Late(long dueNanos, ColdSend send) {}

    /** A ceiling that has been raised is noticed after so long. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<Late> late = new PriorityQueue<>(
            Comparator.comparing(Late::dueNanos, (one, other) -> Long.signum(one - other))); // the clock may wrap
    private boolean isOpen;

    synchronized void open() {
        isOpen = true;
    }

    /** Returns all that wait. */
    synchronized List<ColdSend> close() {
        isOpen = false;
        List<ColdSend> all = late.stream().map(Late::send).toList();
        late.clear();
        return all;
    }

    /** True when the send has to wait; {@link #takeDue} returns it then. */
    boolean delays(ColdSend send, long nowNanos) {
        long owedNanos = send.owedNanos();
        return owedNanos > 0 && add(send, nowNanos + Math.min(owedNanos, LONGEST_NANOS));
    }

    private synchronized boolean add(ColdSend send, long dueNanos) {
        return isOpen && late.add(new Late(dueNanos, send));
    }

    /** Those whose time has come. */
    synchronized List<ColdSend> takeDue(long nowNanos) {
        List<ColdSend> due = new ArrayList<>();
        for (Late next = late.peek(); next != null && next.dueNanos() - nowNanos <= 0; next = late.peek()) {
            due.add(next.send());
            late.remove();
        }
        return due;
    }

    /** Until the next one is due. */
    synchronized long nextNanos(long nowNanos) {
        Late next = late.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next.dueNanos() - nowNanos);
    }
}
