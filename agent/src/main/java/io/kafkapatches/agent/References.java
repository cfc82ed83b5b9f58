/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * What our classes need of Kafka's, compared with what the class path has. Confined to one thread.
 */
final class References {
    /*
     * Compiled code names every class, field and method that it uses in its constant pool, with exact descriptors. So we
     * start at the advice, read the constant pools of our own classes from one to the next, and look up each name in the
     * class files as the JVM will when it links that code. What would be a NoSuchMethodError hours after the start is a
     * refusal at the start. OpenTelemetry's agent calls the same idea "muzzle".
     *
     * An owner may be our own class although the member is Kafka's (an inherited method), so members of our classes are
     * looked up, too. Not seen, and not used by us: names that are only in strings (reflection), and lambdas for an
     * interface of Kafka's that gains an abstract method.
     */
    private static final List<String> KAFKA = List.of("org.apache.kafka.", "kafka.");

    private static final String OURS = "io.kafkapatches.";

    /** Named by annotations and nests of the advice, but on no woven code's path. */
    private static final List<String> THE_AGENTS = List.of("io.kafkapatches.agent.", "io.kafkapatches.shaded.");

    private static final TypeDescription OBJECT = TypeDescription.ForLoadedType.of(Object.class);

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
    static List<Missing> missing(ClassFiles classFiles, Collection<String> roots) throws IOException {
        References references = new References(classFiles);
        references.seen.addAll(roots);
        references.toRead.addAll(roots);
        while (!references.toRead.isEmpty()) {
            references.read(references.toRead.remove());
        }
        return List.copyOf(references.missing);
    }

    private void read(String user) throws IOException {
        ClassReader reader = new ClassReader(classFiles.locator().locate(user).resolve());
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
                        Type.getObjectType(reader.readClass(item, buffer)),
                        reader.readUTF8(nameAndType, buffer),
                        reader.readUTF8(nameAndType + 2, buffer));
            }
        }
        checkImplements(user);
    }

    private void checkClass(String user, Type type) {
        String name = type.getClassName();
        if (isOurs(name) && seen.add(name)) {
            toRead.add(name);
        } else if (isKafkas(name) && classFiles.type(name) == null) {
            missing.add(new Missing(user, "class " + name));
        }
    }

    private void checkMember(String user, Type owner, String name, String descriptor) {
        TypeDescription type = isOurs(owner.getClassName()) || isKafkas(owner.getClassName())
                ? classFiles.type(owner.getClassName())
                : null;
        if (type != null && !hierarchy(type).anyMatch(each -> declares(each, name, descriptor))) {
            missing.add(new Missing(user, owner.getClassName() + "." + name + " " + descriptor));
        }
    }

    /** A class of ours that is a type of Kafka's implements all of it. */
    private void checkImplements(String user) {
        TypeDescription type = classFiles.type(user);
        if (type == null || type.isAbstract() || supertypes(type).noneMatch(each -> isKafkas(each.getName()))) {
            return;
        }
        for (MethodGraph.Node node :
                MethodGraph.Compiler.DEFAULT.compile((TypeDefinition) type).listNodes()) {
            MethodDescription method = node.getRepresentative();
            if (method.isAbstract()) {
                missing.add(new Missing(user, "an implementation of " + method));
            }
        }
    }

    private static boolean declares(TypeDescription type, String name, String descriptor) {
        return descriptor.startsWith("(")
                ? type.getDeclaredMethods().stream()
                        .anyMatch(method -> method.getInternalName().equals(name)
                                && method.getDescriptor().equals(descriptor))
                : type.getDeclaredFields().stream()
                        .anyMatch(field -> field.getName().equals(name)
                                && field.getDescriptor().equals(descriptor));
    }

    private static Stream<TypeDescription> hierarchy(TypeDescription type) {
        return Stream.concat(Stream.of(type), supertypes(type).flatMap(References::hierarchy));
    }

    /** Interfaces have Object's methods, too: newer compilers name the interface as their owner. */
    private static Stream<TypeDescription> supertypes(TypeDescription type) {
        TypeDescription.@Nullable Generic superclass = type.getSuperClass();
        return Stream.concat(
                superclass != null
                        ? Stream.of(superclass.asErasure())
                        : type.isInterface() ? Stream.of(OBJECT) : Stream.empty(),
                type.getInterfaces().asErasures().stream());
    }

    private static boolean isOurs(String name) {
        return name.startsWith(OURS) && THE_AGENTS.stream().noneMatch(name::startsWith) && !name.endsWith("[]");
    }

    private static boolean isKafkas(String name) {
        return KAFKA.stream().anyMatch(name::startsWith) && !name.endsWith("[]");
    }
}
