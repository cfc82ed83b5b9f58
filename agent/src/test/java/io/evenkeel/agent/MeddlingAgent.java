/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Somebody else's agent: it changes a class of Kafka's on its way into the JVM. */
final class MeddlingAgent {
    private MeddlingAgent() {}

    static Path jar(Path dir) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", MeddlingAgent.class.getName());
        Path jar = dir.resolve("meddling-agent.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    public static void premain(@Nullable String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    String name,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] classFile) {
                return name.endsWith("/FileRecords")
                        ? new String(classFile, ISO_8859_1)
                                .replace("openChannel", "openKanal__")
                                .getBytes(ISO_8859_1)
                        : null;
            }
        });
    }
}
