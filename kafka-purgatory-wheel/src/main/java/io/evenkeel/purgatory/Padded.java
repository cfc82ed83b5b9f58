/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * Padding that keeps the fields of one stripe off the cache lines of its neighbour. Two lines, because processors fetch
 * pairs of lines.
 *
 * <p>It is a superclass because the fields of a superclass lie before those of its subclasses. The int fills the gap
 * after the object's header, into which the JVM would otherwise move a field of the subclass.
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
