/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * A method of the broker that is woven, and the shape it must have for that. Immutable.
 *
 * @param candidates the method as the supported Kafka versions know it; in each version exactly one of them exists
 * @param fields the owner's fields that the advice reads
 * @param advice the class with the statements that go in front of and behind the method's own
 * @param purpose for the page that tells operators what is woven into their broker
 */
record HookPoint(List<Method> candidates, List<Field> fields, Class<?> advice, String purpose) {

    /** A method, exactly; {@code <init>} is a constructor. */
    record Method(String owner, boolean isStatic, String name, String descriptor) {
        boolean matches(ClassFile.Member method) {
            return method.is(name, descriptor) && method.isStatic() == isStatic;
        }

        /** As in Java source. */
        @Override
        public String toString() {
            return owner + ": " + signature(isStatic, name, descriptor);
        }
    }

    /** A field, exactly. */
    record Field(String name, String descriptor) {
        boolean matches(ClassFile.Member field) {
            return field.is(name, descriptor);
        }

        /** As in Java source. */
        @Override
        public String toString() {
            return Type.getType(descriptor).getClassName() + " " + name;
        }
    }

    /** Without a field, or with some. */
    HookPoint(List<Method> candidates, Class<?> advice, String purpose, Field... fields) {
        this(candidates, List.of(fields), advice, purpose);
    }

    /** A method that is the same in each version, and not static. */
    static List<Method> method(String owner, String name, String descriptor) {
        return List.of(new Method(owner, false, name, descriptor));
    }

    /** The name in messages. */
    String name() {
        Method method = candidates.get(0);
        String owner = method.owner()
                .substring(method.owner().lastIndexOf('.') + 1)
                .replaceFirst("\\$$", "")
                .replace('$', '.');
        return method.name().equals("<init>") ? "new " + owner : owner + "." + method.name();
    }

    /** The candidates that exist in {@code types}. */
    List<Method> in(Function<String, @Nullable ClassFile> types) {
        return candidates.stream()
                .filter(candidate -> {
                    ClassFile owner = types.apply(candidate.owner());
                    return owner != null && owner.methods().stream().anyMatch(candidate::matches);
                })
                .toList();
    }

    /** What is there under the candidates' names. */
    String found(Function<String, @Nullable ClassFile> types) {
        return candidates.stream()
                .map(candidate -> found(candidate, types.apply(candidate.owner())))
                .distinct()
                .collect(joining("; "));
    }

    private static String found(Method candidate, @Nullable ClassFile owner) {
        if (owner == null) {
            return "no class " + candidate.owner();
        }
        String namesakes = owner.methods().stream()
                .filter(method -> method.name().equals(candidate.name()))
                .map(method -> signature(method.isStatic(), method.name(), method.descriptor()))
                .collect(joining(", "));
        return candidate.owner() + ": " + (namesakes.isEmpty() ? "no method " + candidate.name() : namesakes);
    }

    static String signature(boolean isStatic, String name, String descriptor) {
        return Arrays.stream(Type.getArgumentTypes(descriptor))
                .map(Type::getClassName)
                .collect(joining(
                        ", ",
                        (isStatic ? "static " : "")
                                + Type.getReturnType(descriptor).getClassName() + " " + name + "(",
                        ")"));
    }
}
