/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.disk;

import java.util.LinkedHashMap;

/** Blocks of a bounded number, of which the one that was not used for longest leaves first. One thread uses it. */
final class BlockLru {
    static final int BLOCK_BYTES = 64 << 10;

    private static final float LOAD_FACTOR = 0.75f;

    private final long most;
    private final LinkedHashMap<Long, Boolean> blocks = new LinkedHashMap<>(16, LOAD_FACTOR, true);

    BlockLru(long bytes) {
        this.most = bytes / BLOCK_BYTES;
    }

    /** Whether the block is here; it then counts as just used. */
    boolean hit(long block) {
        return blocks.get(block) != null;
    }

    void add(long block) {
        blocks.put(block, true);
        if (blocks.size() > most) {
            blocks.remove(blocks.keySet().iterator().next());
        }
    }
}
