/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The slots of a request that waits under more than a few keys. As the request, it belongs to one thread at a time. */
final class ManySlots {
    private static final int PORTION = 64;

    private final @Nullable Slots[] groups;
    private final byte[] slots;
    private int count;

    private ManySlots(@Nullable Slots[] groups, byte[] slots, int count) {
        this.groups = groups;
        this.slots = slots;
        this.count = count;
    }

    /** With the slots that a request has taken already, and with room for more. */
    static ManySlots of(Watched request, int more) {
        if (request.groups instanceof ManySlots had) {
            int size = had.count + more;
            return new ManySlots(Arrays.copyOf(had.groups, size), Arrays.copyOf(had.slots, size), had.count);
        }
        @Nullable Slots[] few = {(Slots) request.groups, request.second, request.third};
        int count = 0;
        while (count < few.length && few[count] != null) {
            count++;
        }
        ManySlots all = new ManySlots(new Slots[count + more], new byte[count + more], 0);
        for (int i = 0; i < count; i++) {
            int later = (count - 1 - i) * StripeTurns.SLOT_BITS;
            all.add(few[i], StripeTurns.lastSlot(request.lastSlots >>> later));
        }
        return all;
    }

    void add(@Nullable Slots group, int slot) {
        groups[count] = group;
        slots[count++] = (byte) slot;
    }

    /** Removes a request from all slots. */
    void leave(Watched request) {
        for (int from = 0; from < count; from += PORTION) {
            leave(request, from, Math.min(count, from + PORTION));
        }
    }

    /**
     * Reading all slots before the first compare and set lets the processor fetch their cache lines at the same time: a
     * compare and set waits for its own line, and everything after it waits as well.
     */
    private void leave(Watched request, int from, int to) {
        for (int i = from; i < to; i++) {
            if (groups[i] != null && !groups[i].holds(request, slots[i])) {
                groups[i] = null;
            }
        }
        for (int i = from; i < to; i++) {
            if (groups[i] != null) {
                groups[i].leave(request, slots[i]);
            }
        }
    }
}
