/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A class of this Kafka that is replaced whole, and what is handed out when the JVM loads it. Immutable. */
final class Replacement implements Weaver.Target {
    private final Patch patch;
    private final ReplacedClass replaced;
    private final String kafkaVersion;
    private final String folder;
    private final byte[] stock;
    private final byte[] ours;

    private Replacement(
            Patch patch, ReplacedClass replaced, String folder, String kafkaVersion, byte[] stock, byte[] ours) {
        this.patch = patch;
        this.replaced = replaced;
        this.folder = folder;
        this.kafkaVersion = kafkaVersion;
        this.stock = stock;
        this.ours = ours;
    }

    /**
     * What takes the place of the class in this Kafka.
     *
     * @throws PatchException when this Kafka has no such class, or one with more API than any of ours
     */
    static Replacement find(Patch patch, ReplacedClass replaced, ClassFiles classFiles) {
        String version = classFiles.kafkaVersion();
        byte[] stock = classFiles.bytes(replaced.path());
        if (stock == null) {
            throw new PatchException(patch.name(), hook(replaced), version, replaced.name(), "no class of that name");
        }
        List<String> missing = new ArrayList<>();
        for (String folder : replaced.folders()) {
            byte[] ours = classFiles.bytes(folder + "/" + replaced.path());
            if (ours != null) {
                List<String> missingHere = Api.missing(ClassFile.read(stock), ClassFile.read(ours));
                if (missingHere.isEmpty()) {
                    return new Replacement(patch, replaced, folder, version, stock, ours);
                }
                missing.add(String.join(", ", missingHere));
            }
        }
        throw new PatchException(
                patch.name(),
                hook(replaced),
                version,
                replaced.name() + " with no more than ours has",
                "also " + String.join("; or ", missing));
    }

    /** Which of its folders has the class file that fits. */
    String folder() {
        return folder;
    }

    /** Ours. */
    ClassFile classFile() {
        return ClassFile.read(ours);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public String hook() {
        return hook(replaced);
    }

    @Override
    public String owner() {
        return replaced.name();
    }

    /**
     * Our class file.
     *
     * @param loading what the JVM was about to load
     * @throws PatchException when that is not stock's: what another agent has put into it would be lost without a word
     */
    byte[] handedOut(byte[] loading) {
        if (!Arrays.equals(stock, loading)) {
            throw new PatchException(
                    patch.name(),
                    hook(),
                    kafkaVersion,
                    replaced.name() + " as it is in Kafka's jar",
                    "that something has changed the class while it loads, perhaps another agent");
        }
        return ours.clone();
    }

    private static String hook(ReplacedClass replaced) {
        return "class " + replaced.name().substring(replaced.name().lastIndexOf('.') + 1);
    }
}
