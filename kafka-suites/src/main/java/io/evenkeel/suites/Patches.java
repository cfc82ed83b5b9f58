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

    /**
     * What a run of a list must have had done to prove anything; what the list asks for is of the tier and the timers.
     */
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

    /** What makes a run unsound. */
    List<String> mustNotHappen() {
        return tier ? List.of("failures of a copier or evictor") : List.of();
    }
}
