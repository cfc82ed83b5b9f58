/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

/** What the devices did since the start, or since the last reset. Not thread safe. */
final class Traffic {
    double fromMemory;
    double fromSsd;
    double fromHdd;
    double ssdRead;
    double ssdWritten;
    double hddRead;
    double hddWritten;
    /** Copied by the tier; each such byte is written to the HDD and read back. */
    double copied;

    double evicted;
    long evictions;
    /** Segments that found no room on an SSD, or had to leave it while they grew. */
    long refused;

    double secondsOnSsd = Double.MAX_VALUE;
    double sumOfSecondsOnSsd;
    long looks;

    void reset() {
        fromMemory = fromSsd = fromHdd = 0;
        ssdRead = ssdWritten = hddRead = hddWritten = 0;
        copied = evicted = 0;
        evictions = refused = 0;
    }

    /** A partition has its data of the last so many seconds on SSDs. */
    void look(double seconds) {
        secondsOnSsd = Math.min(secondsOnSsd, seconds);
        sumOfSecondsOnSsd += seconds;
        looks++;
    }

    void readSsd(double bytes) {
        fromSsd += bytes;
        ssdRead += bytes;
    }

    void readHdd(double bytes) {
        fromHdd += bytes;
        hddRead += bytes;
    }

    void evict(double bytes) {
        evictions++;
        evicted += bytes;
    }
}
