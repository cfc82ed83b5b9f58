/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** An {@link Instrumentation} that says what is loaded, and keeps the transformers for whoever loads classes. */
final class FakeInstrumentation {
    final List<ClassFileTransformer> transformers = new ArrayList<>();
    final List<Class<?>> loaded = new ArrayList<>();

    /** What the weaver refused before a class loaded. */
    final List<Throwable> refused = new ArrayList<>();

    /** For one patch, and the classes that a loader finds. */
    Weaver weaver(ClassLoader loader, Patch patch) {
        return weaver(loader, List.of(patch));
    }

    /** For several patches. */
    Weaver weaver(ClassLoader loader, List<Patch> patches) {
        return new Weaver(new ClassFiles(loader), asInstrumentation(), patches, null, refused::add);
    }

    /** What the transformers make of a class that a loader is about to define. */
    byte[] transform(ClassLoader loader, String name, byte[] bytes) {
        byte[] woven = bytes;
        try {
            for (ClassFileTransformer transformer : transformers) {
                byte[] result = transformer.transform(loader, name.replace('.', '/'), null, null, woven);
                woven = result == null ? woven : result;
            }
        } catch (IllegalClassFormatException e) {
            throw new AssertionError(e);
        }
        return woven;
    }

    Instrumentation asInstrumentation() {
        return (Instrumentation) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Instrumentation.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "getAllLoadedClasses" -> loaded.toArray(Class<?>[]::new);
                        case "addTransformer" -> {
                            transformers.add((ClassFileTransformer) arguments[0]);
                            yield null;
                        }
                        case "removeTransformer" -> transformers.remove(arguments[0]);
                        default -> throw new UnsupportedOperationException(method.toString());
                    };
                });
    }
}
