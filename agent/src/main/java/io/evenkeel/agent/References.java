/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Type;

/** Compares the Kafka classes and members that our classes use with the class path. Confined to one thread. */
final class References {
    /*
     * Compiled code names every class, field and method that it uses in its constant pool, with exact descriptors. So
     * we start at the advice and the patch's config, read the constant pools of our own classes from one to the next,
     * and look up each name in the class files, as the JVM does when it links that code. A change of Kafka's that would
     * cause a NoSuchMethodError hours later refuses the start instead. OpenTelemetry's agent calls the same idea
     * "muzzle". A Kafka class that we replace is a root as well; the class files then have ours under its name.
     *
     * An owner may be our own class although the member is Kafka's (an inherited method), so members of our classes are
     * looked up as well. This does not see two things, which our code does not use: names that are only in strings
     * (reflection), and lambdas for an interface of Kafka's that gains an abstract method.
     */
    private static final List<String> KAFKA = List.of("org.apache.kafka.", "kafka.");

    private static final String OURS = "io.evenkeel.";

    /** Named by annotations and nests of the advice, but on no woven code's path. */
    private static final List<String> THE_AGENTS = List.of("io.evenkeel.agent.", "io.evenkeel.shaded.");

    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;

    /** A reference that leads nowhere. */
    record Missing(String user, String what) {}

    private final ClassFiles classFiles;
    private final Deque<String> toRead = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();
    private final List<Missing> missing = new ArrayList<>();

    private References(ClassFiles classFiles) {
        this.classFiles = classFiles;
    }

    /** Every reference without a target in the {@code roots} and in those of our classes that they lead to. */
    static List<Missing> missing(ClassFiles classFiles, Collection<String> roots) {
        References references = new References(classFiles);
        references.seen.addAll(roots);
        references.toRead.addAll(roots);
        while (!references.toRead.isEmpty()) {
            references.read(references.toRead.remove());
        }
        return List.copyOf(references.missing);
    }

    private void read(String user) {
        ClassFile type = classFiles.type(user);
        if (type == null) {
            missing.add(new Missing(user, "class " + user));
            return;
        }
        ClassReader reader = type.reader();
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            int tag = item == 0 ? 0 : reader.readByte(item - 1); // A long or a double leaves its second slot empty.
            if (tag == CLASS) {
                checkClass(user, Type.getObjectType(reader.readUTF8(item, buffer)));
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                checkMember(
                        user,
                        Type.getObjectType(reader.readClass(item, buffer)).getClassName(),
                        reader.readUTF8(nameAndType, buffer),
                        reader.readUTF8(nameAndType + 2, buffer));
            }
        }
        checkImplements(type);
    }

    private void checkClass(String user, Type type) {
        String name = type.getClassName();
        if (isOurs(name) && seen.add(name)) {
            toRead.add(name);
        } else if (isKafkas(name) && classFiles.type(name) == null) {
            missing.add(new Missing(user, "class " + name));
        }
    }

    private void checkMember(String user, String owner, String name, String descriptor) {
        ClassFile type = isOurs(owner) || isKafkas(owner) ? classFiles.type(owner) : null;
        if (type != null && hierarchy(type).noneMatch(each -> declares(each, name, descriptor))) {
            missing.add(new Missing(user, owner + "." + name + " " + descriptor));
        }
    }

    private static boolean declares(ClassFile type, String name, String descriptor) {
        List<ClassFile.Member> members = descriptor.startsWith("(") ? type.methods() : type.fields();
        return members.stream().anyMatch(member -> member.is(name, descriptor));
    }

    /** A class of ours that is a type of Kafka's implements all of it. */
    private void checkImplements(ClassFile type) {
        if (type.isAbstract() || hierarchy(type).noneMatch(each -> isKafkas(each.name()))) {
            return;
        }
        Set<String> implemented = hierarchy(type)
                .flatMap(each -> each.methods().stream())
                .filter(method -> !method.isAbstract())
                .map(References::signature)
                .collect(toSet());
        hierarchy(type)
                .distinct()
                .forEach(each -> each.methods().stream()
                        .filter(method -> method.isAbstract() && !implemented.contains(signature(method)))
                        .forEach(method -> missing.add(new Missing(
                                type.name(), "an implementation of " + each.name() + "." + signature(method)))));
    }

    private static String signature(ClassFile.Member method) {
        return method.name() + " " + method.descriptor();
    }

    /** A class with all its supertypes; a class that lacks one of them cannot be loaded with or without us. */
    private Stream<ClassFile> hierarchy(ClassFile type) {
        return Stream.concat(
                Stream.of(type),
                type.supertypes().stream()
                        .map(classFiles::type)
                        .filter(Objects::nonNull)
                        .flatMap(this::hierarchy));
    }

    private static boolean isOurs(String name) {
        return name.startsWith(OURS) && THE_AGENTS.stream().noneMatch(name::startsWith) && !name.endsWith("[]");
    }

    private static boolean isKafkas(String name) {
        return KAFKA.stream().anyMatch(name::startsWith) && !name.endsWith("[]");
    }
}
