/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys that a broker is started with: those of the properties file that its command line names, and of its
 * {@code --override} options, which win. Stateless.
 *
 * <p>Kafka reads the same keys, but too late for us: the agent decides whether to replace a class before it loads.
 * Values from config providers, as in {@code ${env:…}}, are not known here.
 */
final class BrokerKeys {
    /** An option of {@code kafka.Kafka}, with one dash or two and never shortened, up to the next one. */
    private static final Pattern OPTION = Pattern.compile(
            " --?(override|version|help)(?:[ =](.*?))?(?= --?(?:override|version|help)(?:[ =]|\\z)|\\z)",
            Pattern.DOTALL);

    private BrokerKeys() {}

    /**
     * @param arguments behind the main class: the file's path, then options
     * @throws IllegalArgumentException when the file cannot be read
     */
    static Map<String, String> of(String arguments) {
        String spaced = " " + arguments;
        Matcher options = OPTION.matcher(spaced);
        boolean hasOptions = options.find();
        String file = (hasOptions ? spaced.substring(0, options.start()) : spaced).trim();
        Map<String, String> keys = new HashMap<>();
        if (!file.isEmpty()) {
            Properties properties = read(Path.of(file));
            properties.stringPropertyNames().forEach(key -> keys.put(key, properties.getProperty(key)));
        }
        while (hasOptions) {
            if ("override".equals(options.group(1)) && options.group(2) != null) {
                String[] pair = options.group(2).split("=", 2);
                keys.put(pair[0], pair.length == 2 ? pair[1] : "");
            }
            hasOptions = options.find();
        }
        return keys;
    }

    private static Properties read(Path file) {
        Properties properties = new Properties();
        try (InputStream stream = Files.newInputStream(file)) {
            properties.load(stream);
            return properties;
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot read the broker's properties file '%s': %s".formatted(file, e), e);
        }
    }
}
