/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.ColdReadStats;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.file.DirectIoBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The cold reader of each HDD and of each SSD; they share the buffers evenly. Thread safe. */
public final class ColdReaders {
    /** As much as one send takes. Smaller than a fetch, so that little is read that the fetch does not bring. */
    public static final int CHUNK_BYTES = 128 << 10;

    private static final int FEWEST_CHUNKS = 32;
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Hdd, ColdReader> ofHdds = new LinkedHashMap<>();
    private final Map<SsdDir, ColdReader> ofSsds = new LinkedHashMap<>();
    /** Of the HDDs. */
    private final RateLimiter ceiling;

    private final boolean isOn;

    public ColdReaders(Collection<Hdd> hdds, Collection<SsdDir> ssds, TierSettings settings, LongSupplier nanoClock) {
        long bufferBytes = settings.coldReadBufferBytes();
        isOn = bufferBytes > 0;
        ceiling = new RateLimiter(settings.dynamic().coldReadCeiling(), BURST_NANOS);
        int chunks = (int) Math.max(FEWEST_CHUNKS, bufferBytes / CHUNK_BYTES / (hdds.size() + ssds.size()));
        for (Hdd hdd : hdds) {
            ofHdds.put(hdd, reader(chunks, nanoClock, hdd.counts()::waited, ceiling));
        }
        for (SsdDir ssd : ssds) {
            RateLimiter none = new RateLimiter(DeviceCeilings.UNLIMITED, BURST_NANOS);
            ofSsds.put(ssd, reader(chunks, nanoClock, nanos -> {}, none));
        }
    }

    private static ColdReader reader(int chunks, LongSupplier nanoClock, LongConsumer readNanos, RateLimiter ceiling) {
        return new ColdReader(CHUNK_BYTES, chunks, DirectIoBuffer::allocate, nanoClock, readNanos, ceiling);
    }

    public ColdReader of(Hdd hdd) {
        return Objects.requireNonNull(ofHdds.get(hdd), "not one of this tier's HDDs");
    }

    public ColdReader of(SsdDir ssd) {
        return Objects.requireNonNull(ofSsds.get(ssd), "not one of this tier's SSDs");
    }

    /** Those that are to be started, by the name of their worker. */
    public Map<String, ColdReader> toStart() {
        Map<String, ColdReader> named = new LinkedHashMap<>();
        if (isOn) {
            ofHdds.forEach((hdd, reader) -> named.put("cold reader " + hdd, reader));
            ofSsds.forEach((ssd, reader) -> named.put("cold reader " + ssd, reader));
        }
        return named;
    }

    public void reconfigure(DynamicTierSettings settings, long nowNanos) {
        ceiling.rate(settings.coldReadCeiling(), nowNanos);
    }

    public ColdReadStats stats() {
        return Stream.concat(
                        ofHdds.values().stream().map(ColdReader::stats),
                        ofSsds.values().stream().map(ColdReader::stats).map(ColdReadStats::ofSsd))
                .reduce(ColdReadStats.NONE, ColdReadStats::plus);
    }
}
