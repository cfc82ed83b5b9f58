/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.ColdReadStats;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.file.DirectIoBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The cold reader of each HDD; they share the buffers evenly. Thread safe. */
public final class ColdReaders {
    /** As much as one send takes. Smaller than a fetch, so that little is read that the fetch does not bring. */
    public static final int CHUNK_BYTES = 128 << 10;

    private static final int FEWEST_CHUNKS = 32;
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Hdd, ColdReader> readers = new LinkedHashMap<>();
    private final RateLimiter ceiling;
    private final boolean isOn;

    public ColdReaders(Collection<Hdd> hdds, TierSettings settings, LongSupplier nanoClock) {
        long bufferBytes = settings.coldReadBufferBytes();
        isOn = bufferBytes > 0;
        ceiling = new RateLimiter(settings.dynamic().coldReadCeiling(), BURST_NANOS);
        int chunks = (int) Math.max(FEWEST_CHUNKS, bufferBytes / CHUNK_BYTES / hdds.size());
        for (Hdd hdd : hdds) {
            readers.put(
                    hdd,
                    new ColdReader(
                            CHUNK_BYTES, chunks, DirectIoBuffer::allocate, nanoClock, hdd.counts()::waited, ceiling));
        }
    }

    public ColdReader of(Hdd hdd) {
        return Objects.requireNonNull(readers.get(hdd), "not one of this tier's HDDs");
    }

    /** Those that are to be started, by the name of their worker. */
    public Map<String, ColdReader> toStart() {
        Map<String, ColdReader> named = new LinkedHashMap<>();
        if (isOn) {
            readers.forEach((hdd, reader) -> named.put("cold reader " + hdd, reader));
        }
        return named;
    }

    public void reconfigure(DynamicTierSettings settings, long nowNanos) {
        ceiling.rate(settings.coldReadCeiling(), nowNanos);
    }

    public ColdReadStats stats() {
        return readers.values().stream().map(ColdReader::stats).reduce(ColdReadStats.NONE, ColdReadStats::plus);
    }
}
