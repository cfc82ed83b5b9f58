/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.observability;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of the JMX exporter, applied as the exporter does. Immutable.
 *
 * @param pattern may match any part of a gauge
 * @param name of the metric, with {@code $1} for what the first group of the pattern matches
 */
record ExporterRule(Pattern pattern, String name) {
    ExporterRule(String pattern, String name) {
        this(Pattern.compile(".*(?:" + pattern + ").*"), name);
    }

    /** The name of the metric that the rule makes of a gauge. */
    Optional<String> metric(String gauge) {
        Matcher matcher = pattern.matcher(gauge);
        return matcher.matches() ? Optional.of(matcher.replaceFirst(name).toLowerCase(Locale.ROOT)) : Optional.empty();
    }
}
