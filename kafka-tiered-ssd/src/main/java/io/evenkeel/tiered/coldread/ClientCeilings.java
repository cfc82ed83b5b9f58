/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.RateLimiter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How many bytes a second each client may get that lags. Thread safe; never waits. */
final class ClientCeilings {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Who owes that much gets the next bytes free. Else a group of many would owe for hours after its end. */
    static final long MOST_OWED_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Above this, those that owe nothing are forgotten: their next bytes are as their first. */
    static final int MANY = 1_000;

    private final Map<String, RateLimiter> clients = new HashMap<>();
    private volatile long bytesPerSecond = DeviceCeilings.UNLIMITED;

    synchronized void rate(long changedBytesPerSecond, long nowNanos) {
        bytesPerSecond = changedBytesPerSecond;
        clients.values().forEach(client -> client.rate(changedBytesPerSecond, nowNanos));
    }

    private boolean isUnlimited() {
        return bytesPerSecond == DeviceCeilings.UNLIMITED;
    }

    /** Until all that it got is paid for. */
    long waitNanos(String client, long nowNanos) {
        return isUnlimited() ? 0 : owedNanos(client, nowNanos);
    }

    private synchronized long owedNanos(String client, long nowNanos) {
        RateLimiter limiter = clients.get(client);
        return limiter == null ? 0 : limiter.waitNanos(nowNanos);
    }

    /** The most that one response should bring: what the client may get in a second, once it has got anything. */
    long mostBytes(String client) {
        return isUnlimited() ? Long.MAX_VALUE : secondOfBytes(client);
    }

    private synchronized long secondOfBytes(String client) {
        return clients.containsKey(client) ? bytesPerSecond : Long.MAX_VALUE;
    }

    /** Counts bytes that were sent to the client. */
    void charge(String client, long bytes, long nowNanos) {
        if (!isUnlimited()) {
            reserve(client, bytes, nowNanos);
        }
    }

    private synchronized void reserve(String client, long bytes, long nowNanos) {
        if (clients.size() >= MANY) {
            clients.values().removeIf(limiter -> limiter.waitNanos(nowNanos) == 0);
        }
        RateLimiter limiter = clients.computeIfAbsent(client, any -> new RateLimiter(bytesPerSecond, BURST_NANOS));
        if (limiter.waitNanos(nowNanos) < MOST_OWED_NANOS) {
            limiter.reserve(bytes, nowNanos);
        }
    }

    synchronized int remembered() {
        return clients.size();
    }
}
