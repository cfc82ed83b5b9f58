/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

/**
 * What a day did to a broker's devices. Immutable.
 *
 * @param hoursOnSsd so much of each partition's newest data was on SSDs: the mean of all looks
 * @param leastHoursOnSsd and in the worst look
 * @param fromMemory share of the bytes that were read
 * @param laggardsFromHdd share of the bytes that the page cache did not have
 * @param copyHeadroom how many times as much the HDDs could copy as they did; 0 when nothing was copied
 * @param driveWritesPerDay how often each SSD was written in full
 * @param hddBusy share of the HDDs' speed that was used, and more than 1 when it is not enough
 * @param refusedSegments that began on an HDD or had to move there, because the SSDs were full
 */
public record DayReport(
        Policy policy,
        double hoursOnSsd,
        double leastHoursOnSsd,
        double fromMemory,
        double fromSsd,
        double fromHdd,
        double laggardsFromHdd,
        double copyHeadroom,
        long evictions,
        double driveWritesPerDay,
        double ssdBusy,
        double hddBusy,
        long refusedSegments) {

    /** Why it is too much; empty when it is not. */
    public String breaksBecause() {
        if (refusedSegments > 0) {
            return refusedSegments + " segments found no room on the SSDs";
        }
        if (hddBusy > 1) {
            return "the HDDs have more to do than they can";
        }
        return ssdBusy > 1 ? "the SSDs have more to do than they can" : "";
    }

    static DayReport of(Policy policy, Machine machine, Traffic traffic, double seconds) {
        double read = Math.max(1, traffic.fromMemory + traffic.fromSsd + traffic.fromHdd);
        double hddBytes = machine.hdds() * (double) machine.hddBytesPerSecond() * seconds;
        double ssdBytes = machine.ssds() * (double) machine.ssdBytesPerSecond() * seconds;
        double hddMoved = traffic.hddRead + traffic.hddWritten;
        double freeForCopies = hddBytes - (hddMoved - 2 * traffic.copied);
        double hour = 3600;
        double days = seconds / Replay.DAY_SECONDS;
        return new DayReport(
                policy,
                traffic.sumOfSecondsOnSsd / Math.max(1, traffic.looks) / hour,
                traffic.looks == 0 ? 0 : traffic.secondsOnSsd / hour,
                traffic.fromMemory / read,
                traffic.fromSsd / read,
                traffic.fromHdd / read,
                traffic.fromHdd / Math.max(1, traffic.fromSsd + traffic.fromHdd),
                traffic.copied == 0 ? 0 : Math.max(0, freeForCopies / (2 * traffic.copied)),
                traffic.evictions,
                traffic.ssdWritten / days / ((double) machine.ssds() * machine.ssdBytes()),
                (traffic.ssdRead + traffic.ssdWritten) / ssdBytes,
                hddMoved / hddBytes,
                traffic.refused);
    }
}
