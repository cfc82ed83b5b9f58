/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.benchmarks.disk.BlockCache.Policy;
import org.junit.jupiter.api.Test;

/** The model of a block cache, and of the newest data on the SSD. */
class BlockCacheTest {
    private static final long PAGE_CACHE = 64 << 20;
    private static final long SSD = 1 << 30;

    @Test
    void theBlockThatWasNotUsedForLongestLeaves() {
        BlockLru lru = new BlockLru(2L * BlockLru.BLOCK_BYTES);
        lru.add(1);
        lru.add(2);
        assertThat(lru.hit(1)).isTrue();
        lru.add(3);
        assertThat(lru.hit(2)).as("2 was not used since").isFalse();
        assertThat(lru.hit(1)).isTrue();
        assertThat(lru.hit(3)).isTrue();
    }

    @Test
    void olderReadsPushDataOutOfABlockCacheButNotOutOfOurs() {
        BlockCache lru = new BlockCache(Policy.LRU, PAGE_CACHE, SSD);
        BlockCache ours = new BlockCache(Policy.NEWEST, PAGE_CACHE, SSD);
        lru.run(15, 80, 60);
        ours.run(15, 80, 60);
        assertThat(ours.nearHddPercent()).isZero();
        assertThat(lru.nearHddPercent()).isGreaterThan(50);
        assertThat(ours.farHddPercent()).isEqualTo(100);
        assertThat(lru.farHddPercent()).isEqualTo(100);
    }

    @Test
    void withoutOlderReadsBothServeAllFromTheSsd() {
        for (Policy policy : Policy.values()) {
            BlockCache model = new BlockCache(policy, PAGE_CACHE, SSD);
            model.run(15, 0, 30);
            assertThat(model.realTimeHddPercent()).isZero();
            assertThat(model.nearHddPercent()).isZero();
        }
    }
}
