/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import java.util.ArrayList;
import java.util.List;

/** Which patches Kafka's tests are run with. */
enum Patches {
    TIER(true, false),
    FLUSH(false, true),
    BOTH(true, true);

    private final boolean tier;
    private final boolean flush;

    Patches(boolean tier, boolean flush) {
        this.tier = tier;
        this.flush = flush;
    }

    boolean hasTier() {
        return tier;
    }

    boolean hasFlush() {
        return flush;
    }

    /** The actions without which a run of a list proves nothing. The list names those of the tier and of the timers. */
    List<String> mustHappen(TestList list) {
        List<String> all = new ArrayList<>();
        if (tier) {
            all.addAll(list.mustHappen());
        }
        if (flush) {
            all.add(FlushByRate.FLUSHES);
        }
        return all;
    }

    /** Events that make a run unsound. */
    List<String> mustNotHappen() {
        return tier ? List.of("failures of a copier or evictor") : List.of();
    }
}
