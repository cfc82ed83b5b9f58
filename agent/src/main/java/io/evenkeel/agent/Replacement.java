/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A class of this Kafka that is replaced whole, and the class file that the JVM gets instead. Immutable. */
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
     * Finds our class for the one of this Kafka.
     *
     * @throws PatchException when this Kafka has no such class, or when its class has API that none of ours has
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

    /** The folder with the class file that fits. */
    String folder() {
        return folder;
    }

    /** Our class. */
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
     * @param loading the bytes that the JVM was about to load
     * @throws PatchException when these are not stock's: the changes of another agent would be lost silently
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
