/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.TypeInitializer;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.auxiliary.AuxiliaryType;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.AsmClassReader;
import net.bytebuddy.utility.OpenedClassReader;

/** A class file with advice in its methods: no member is added, none changes its signature. For one thread. */
final class AdvisedClass {
    /*
     * Byte Buddy's own builder could do the same. But it can do a lot more, so it loads twice as many classes, and a
     * broker would start 0.15 s later.
     *
     * The reader is named wherever Byte Buddy would choose one: on a JDK that is newer than it knows, it would choose
     * one that is not in our jar, and the broker would not start.
     */
    private static final AsmClassReader.Factory READER = new OpenedClassReader();

    private final ClassFileLocator locator;
    private final TypePool pool;
    private final TypeDescription type;
    private final Implementation.Context context;
    private final ClassReader reader;
    private final ClassWriter writer;
    private ClassVisitor visitor;

    /**
     * @param bytes those of {@code classFile}
     * @param others where the advice and what the class refers to are
     */
    AdvisedClass(ClassFile classFile, byte[] bytes, ClassFileLocator others) {
        this.locator = new ClassFileLocator.Compound(ClassFileLocator.Simple.of(classFile.name(), bytes), others);
        this.pool = new TypePool.Default(
                new TypePool.CacheProvider.Simple(), locator, TypePool.Default.ReaderMode.FAST, READER);
        this.type = pool.describe(classFile.name()).resolve();
        ClassFileVersion version = ClassFileVersion.ofClassFile(bytes);
        this.context = Implementation.Context.Disabled.Factory.INSTANCE.make(
                type,
                new AuxiliaryType.NamingStrategy.Enumerating(""),
                TypeInitializer.None.INSTANCE,
                version,
                version,
                Implementation.Context.FrameGeneration.GENERATE);
        this.reader = classFile.reader();
        this.writer = new ClassWriter(reader, AsmVisitorWrapper.NO_FLAGS);
        this.visitor = writer;
    }

    /** Puts the advice in front of and behind the method's own statements. */
    void advise(HookPoint.Method target, Class<?> advice) {
        TypeDescription description = pool.describe(advice.getName()).resolve();
        visitor = Advice.withCustomMapping()
                .with(READER)
                .to(description, locator)
                .on(method -> method.getInternalName().equals(target.name())
                        && method.getDescriptor().equals(target.descriptor()))
                .wrap(
                        type,
                        visitor,
                        context,
                        pool,
                        type.getDeclaredFields(),
                        type.getDeclaredMethods(),
                        AsmVisitorWrapper.NO_FLAGS,
                        AsmVisitorWrapper.NO_FLAGS);
    }

    byte[] toByteArray() {
        reader.accept(visitor, AsmVisitorWrapper.NO_FLAGS);
        return writer.toByteArray();
    }
}
