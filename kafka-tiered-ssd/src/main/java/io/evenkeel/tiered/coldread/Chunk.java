/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file that is in memory, or is wanted there. Guarded by the lock of its reader; the bytes of a chunk that
 * is pinned stay as they are, and may be read without the lock.
 */
final class Chunk {
    /** How far it has come. */
    enum State {
        WANTED,
        LOADING,
        LOADED,
        FAILED,
        /** Of a file that has changed, or evicted: its buffer is free when the last pin is gone. */
        DROPPED
    }

    private final ColdFile file;
    private final long index;
    private final long fetchedNanos;
    private long number;
    private final List<ColdSend> waiting = new ArrayList<>();
    private State state = State.WANTED;
    private @Nullable ByteBuffer buffer;
    private int pins;
    private boolean leased;
    private long leaseEndNanos;
    private boolean isRead;
    private boolean exempt;
    private boolean alone;

    /** @param fetchedNanos when the fetch came in that wants it */
    Chunk(ColdFile file, long index, long fetchedNanos) {
        this.file = file;
        this.index = index;
        this.fetchedNanos = fetchedNanos;
    }

    ColdFile file() {
        return file;
    }

    long index() {
        return index;
    }

    long fetchedNanos() {
        return fetchedNanos;
    }

    /** Its place among the chunks of one fetch; 0 when nobody has asked for it. */
    long number() {
        return number;
    }

    /** Must not change while the chunk is in a queue. */
    void number(long next) {
        number = next;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    /** The sends that wait for it; woken and cleared by who changes its state. */
    List<ColdSend> waiting() {
        return waiting;
    }

    ByteBuffer buffer() {
        return Objects.requireNonNull(buffer);
    }

    /** It is being read into this buffer. */
    void load(ByteBuffer empty) {
        buffer = empty;
        state = State.LOADING;
    }

    boolean isLoaded() {
        return state == State.LOADED;
    }

    /** Whether it will be in memory, unless it fails. */
    boolean isOnItsWay() {
        return state == State.WANTED || state == State.LOADING;
    }

    /** The bytes that were read into it. */
    int bytes() {
        return buffer().limit();
    }

    void pin() {
        pins++;
    }

    /** True when this was the last one. */
    boolean unpin() {
        return --pins == 0;
    }

    boolean isPinned() {
        return pins > 0;
    }

    /** Whoever wants it is on the way: until it is read, or until then, nothing else takes its place. */
    void lease(long untilNanos) {
        leased = true;
        leaseEndNanos = untilNanos;
    }

    /** Somebody has read its last byte. */
    void read() {
        leased = false;
        isRead = true;
    }

    boolean isLeased(long nowNanos) {
        return leased && nowNanos - leaseEndNanos < 0;
    }

    /** Whether anybody has read it to its end: what was read ahead stays until then, and what a reader is in. */
    boolean isRead() {
        return isRead;
    }

    /** A request handler or a replica wants it: the ceiling is not for it. */
    void exempt() {
        exempt = true;
    }

    boolean isExempt() {
        return exempt;
    }

    /** Its next read is the last try: if it is wanted, it is read by itself. */
    void readAlone() {
        state = State.WANTED;
        alone = true;
    }

    boolean isReadAlone() {
        return alone;
    }
}
