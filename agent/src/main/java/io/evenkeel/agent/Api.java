/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static net.bytebuddy.jar.asm.Opcodes.ACC_ABSTRACT;
import static net.bytebuddy.jar.asm.Opcodes.ACC_FINAL;
import static net.bytebuddy.jar.asm.Opcodes.ACC_INTERFACE;
import static net.bytebuddy.jar.asm.Opcodes.ACC_PRIVATE;
import static net.bytebuddy.jar.asm.Opcodes.ACC_PROTECTED;
import static net.bytebuddy.jar.asm.Opcodes.ACC_PUBLIC;
import static net.bytebuddy.jar.asm.Opcodes.ACC_STATIC;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares a class with one that replaces it. Stateless.
 *
 * <p>Code that was compiled against the one must link with the other: for each member that is not private there is one
 * of the same name and type, open to at least the same callers, and no subclass has to implement more, or may override
 * less, than before.
 */
final class Api {
    private Api() {}

    /** The members of {@code stock} that {@code ours} lacks, in Java's words; empty when it may replace it. */
    static List<String> missing(ClassFile stock, ClassFile ours) {
        List<String> missing = new ArrayList<>();
        if (!keeps(stock.access(), ours.access(), ACC_INTERFACE)) {
            missing.add("another kind of type");
        }
        stock.supertypes().stream()
                .filter(type ->
                        !type.equals("java.lang.Object") && !ours.supertypes().contains(type))
                .forEach(type -> missing.add("supertype " + type));
        members(stock).filter(member -> !isCovered(member, ours)).forEach(member -> missing.add(inWords(member)));
        ours.methods().stream()
                .filter(method ->
                        method.isAbstract() && stock.methods().stream().noneMatch(each -> same(each, method)))
                .forEach(method -> missing.add("a body for " + method.name() + method.descriptor()));
        return missing;
    }

    /** The members that another class may use. */
    private static Stream<ClassFile.Member> members(ClassFile type) {
        return Stream.concat(type.fields().stream(), type.methods().stream())
                .filter(member -> !member.has(ACC_PRIVATE) && !member.name().equals("<clinit>"));
    }

    private static boolean isCovered(ClassFile.Member stock, ClassFile ours) {
        return members(ours)
                .anyMatch(member -> same(member, stock) && keeps(stock.access(), member.access(), ACC_STATIC));
    }

    private static boolean same(ClassFile.Member one, ClassFile.Member other) {
        return one.is(other.name(), other.descriptor());
    }

    /** @param kind a flag that must be the same for both */
    private static boolean keeps(int stock, int ours, int kind) {
        return (stock & kind) == (ours & kind)
                && openness(ours) >= openness(stock)
                && (ours & ~stock & (ACC_FINAL | ACC_ABSTRACT)) == 0;
    }

    private static int openness(int access) {
        if ((access & ACC_PUBLIC) != 0) {
            return 2;
        }
        return (access & ACC_PROTECTED) != 0 ? 1 : 0;
    }

    private static String inWords(ClassFile.Member member) {
        return member.descriptor().startsWith("(")
                ? HookPoint.signature(member.isStatic(), member.name(), member.descriptor())
                : new HookPoint.Field(member.name(), member.descriptor()).toString();
    }
}
