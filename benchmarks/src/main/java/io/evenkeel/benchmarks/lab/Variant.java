/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.BrokerConfig;
import java.util.List;
import java.util.Map;

/**
 * One of the candidates that a benchmark compares. Immutable.
 *
 * @param name as on the command line
 * @param title as in reports
 * @param patched whether our patches take part; otherwise it is stock Kafka
 * @param properties the {@code server.properties} that set this variant apart
 */
public record Variant(String name, String title, boolean patched, Map<String, String> properties) {
    public static final Variant STOCK = new Variant("stock", false);
    public static final Variant PATCHED = new Variant("patched", true);

    public Variant {
        properties = Map.copyOf(properties);
    }

    /** A variant whose title is its name and which has no properties of its own. */
    public Variant(String name, boolean patched) {
        this(name, name, patched, Map.of());
    }

    /**
     * The known variants with these names, in the order of the names.
     *
     * @throws IllegalArgumentException when a name is unknown
     */
    public static List<Variant> named(List<String> names, List<Variant> known) {
        return names.stream().map(name -> named(name, known)).toList();
    }

    private static Variant named(String name, List<Variant> known) {
        return known.stream()
                .filter(variant -> variant.name.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown variant: " + name + ", known: "
                        + known.stream().map(Variant::name).toList()));
    }

    /**
     * This variant's configuration.
     *
     * @param stock the configuration that all variants share
     * @param patchedProperties more {@code server.properties}, which only a patched broker gets
     */
    public BrokerConfig config(BrokerConfig stock, Map<String, String> patchedProperties) {
        BrokerConfig config = stock.with(properties);
        return patched ? config.with(patchedProperties).patched() : config;
    }
}
