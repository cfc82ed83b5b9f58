/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * Bytes that keep what one lane writes off the cache lines of its neighbour. Two lines, because processors fetch pairs.
 *
 * <p>A superclass, since the fields of a superclass lie before those of its subclasses. The int fills the gap behind
 * the object's header, into which the JVM would move a field of the subclass.
 */
@SuppressWarnings("unused")
abstract class Padded {
    private int gap;
    private long line00;
    private long line01;
    private long line02;
    private long line03;
    private long line04;
    private long line05;
    private long line06;
    private long line07;
    private long line10;
    private long line11;
    private long line12;
    private long line13;
    private long line14;
    private long line15;
    private long line16;
    private long line17;
}
