/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Has the kernel write dirty pages back early and in small portions, as guides to tuning Linux for Kafka advise. One
 * thread uses it. The script that made the lab restores the values if this process is killed.
 */
final class WritebackTuning {
    /** A stock broker under these settings. */
    static final Variant TUNED = new Variant("tuned", false);

    private static final Path VM = Path.of("/proc/sys/vm");
    private static final String MIB_64 = String.valueOf(64 << 20);
    private static final String MIB_512 = String.valueOf(512 << 20);

    /** The values to go back to, in an order in which the kernel takes them: a ratio replaces its bytes. */
    private final Map<String, String> before = new LinkedHashMap<>();

    WritebackTuning() throws IOException {
        for (String name : new String[] {"dirty_background", "dirty"}) {
            String bytes = Files.readString(VM.resolve(name + "_bytes")).trim();
            String kind = bytes.equals("0") ? name + "_ratio" : name + "_bytes";
            before.put(kind, Files.readString(VM.resolve(kind)).trim());
        }
        for (String name : new String[] {"dirty_expire_centisecs", "dirty_writeback_centisecs"}) {
            before.put(name, Files.readString(VM.resolve(name)).trim());
        }
        set("dirty_background_bytes", MIB_64);
        set("dirty_bytes", MIB_512);
        set("dirty_expire_centisecs", "500");
        set("dirty_writeback_centisecs", "100");
    }

    private static void set(String name, String value) {
        try {
            Files.writeString(VM.resolve(name), value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void restore() {
        before.forEach(WritebackTuning::set);
    }
}
