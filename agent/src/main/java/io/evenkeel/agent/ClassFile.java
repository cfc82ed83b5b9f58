/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * A class file and the members that it declares. Immutable.
 *
 * @param reader knows the whole file
 * @param supertypes the superclass and the interfaces
 */
record ClassFile(
        ClassReader reader,
        String name,
        boolean isAbstract,
        List<String> supertypes,
        List<Member> fields,
        List<Member> methods) {

    /** A field or method, with its exact descriptor and its access flags. */
    record Member(String name, String descriptor, int access) {
        boolean is(String otherName, String otherDescriptor) {
            return name.equals(otherName) && descriptor.equals(otherDescriptor);
        }

        boolean isStatic() {
            return has(Opcodes.ACC_STATIC);
        }

        boolean isAbstract() {
            return has(Opcodes.ACC_ABSTRACT);
        }

        boolean has(int flag) {
            return (access & flag) != 0;
        }
    }

    /** The access flags of the class. */
    int access() {
        return reader.getAccess();
    }

    static ClassFile read(byte[] bytes) {
        ClassReader reader = OpenedClassReader.of(bytes);
        Outline outline = new Outline();
        reader.accept(outline, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassFile(
                reader,
                reader.getClassName().replace('/', '.'),
                (reader.getAccess() & Opcodes.ACC_ABSTRACT) != 0,
                Stream.concat(Stream.ofNullable(reader.getSuperName()), Stream.of(reader.getInterfaces()))
                        .map(supertype -> supertype.replace('/', '.'))
                        .toList(),
                List.copyOf(outline.fields),
                List.copyOf(outline.methods));
    }

    private static final class Outline extends ClassVisitor {
        final List<Member> fields = new ArrayList<>();
        final List<Member> methods = new ArrayList<>();

        Outline() {
            super(OpenedClassReader.ASM_API);
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
            fields.add(new Member(field, descriptor, access));
            return null;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String method,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            methods.add(new Member(method, descriptor, access));
            return null;
        }
    }
}
