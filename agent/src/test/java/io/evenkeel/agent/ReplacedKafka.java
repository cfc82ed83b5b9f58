/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Loads a Kafka version's classes as a broker with the agent would. */
final class ReplacedKafka extends ClassLoader implements AutoCloseable {
    private final KafkaJars jars;
    private final FakeInstrumentation instrumentation = new FakeInstrumentation();

    ReplacedKafka(KafkaJars jars) {
        super(getPlatformClassLoader());
        this.jars = jars;
    }

    void weave(Patch patch) throws IOException, ClassNotFoundException {
        try (Weaver weaver = instrumentation.weaver(this, patch)) {
            weaver.weave(List.of(weaver.check(patch)));
        }
    }

    /** What the static method {@code run} of a class answers that this loads. */
    Object run(Class<?> type) throws ReflectiveOperationException {
        return loadClass(type.getName()).getMethod("run").invoke(null);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (jars.findResource(name.replace('.', '/') + ".class") == null) {
            throw new ClassNotFoundException(name);
        }
        byte[] bytes = instrumentation.transform(this, name, jars.bytes(name));
        return defineClass(name, bytes, 0, bytes.length);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        return jars.getResourceAsStream(name);
    }

    @Override
    public void close() throws IOException {
        jars.close();
    }
}
