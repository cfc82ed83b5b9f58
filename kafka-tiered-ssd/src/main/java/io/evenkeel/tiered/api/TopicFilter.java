/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Topics by regular expressions; an expression matches the whole name. Immutable; equal by its expressions. */
public final class TopicFilter {
    private final List<String> expressions;
    private final List<Pattern> patterns;

    /** @throws PatternSyntaxException when an expression is not valid */
    public TopicFilter(List<String> expressions) {
        this.expressions = List.copyOf(expressions);
        this.patterns = expressions.stream().map(Pattern::compile).toList();
    }

    /** True when one of the expressions matches. */
    public boolean matches(String topic) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(topic).matches()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopicFilter filter && expressions.equals(filter.expressions);
    }

    @Override
    public int hashCode() {
        return expressions.hashCode();
    }

    @Override
    public String toString() {
        return expressions.toString();
    }
}
