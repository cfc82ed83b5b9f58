/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A command line of names with two dashes, each with one value or more behind it. Immutable. */
public final class Arguments {
    private final Map<String, List<String>> values = new HashMap<>();

    /** @throws IllegalArgumentException when a name is not among {@code known} or has no value */
    public Arguments(String[] args, Set<String> known) {
        for (int i = 0; i < args.length; ) {
            String name = args[i];
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown argument: " + name + ", known: " + new TreeSet<>(known));
            }
            int end = ++i;
            while (end < args.length && !args[end].startsWith("--")) {
                end++;
            }
            if (end == i) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            values.put(name, List.copyOf(Arrays.asList(args).subList(i, end)));
            i = end;
        }
    }

    /** All values behind a name; none when the name is missing. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public String text(String name) {
        if (!has(name)) {
            throw new IllegalArgumentException(name + " is needed");
        }
        return all(name).get(0);
    }

    public Path path(String name) {
        return Path.of(text(name)).toAbsolutePath().normalize();
    }

    /** All {@code KEY=VALUE} behind a name. */
    public Map<String, String> properties(String name) {
        return all(name).stream()
                .map(property -> property.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    public boolean is(String name) {
        return has(name) && Boolean.parseBoolean(text(name));
    }

    public int number(String name, int otherwise) {
        return has(name) ? Integer.parseInt(text(name)) : otherwise;
    }
}
