/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One config key: its name, type, default, text and rules, and whether it can change while the broker runs. Immutable.
 *
 * @param <T> the type of its values in our code
 */
public final class ConfigKey<T> {
    /** How an operator writes the value. */
    public enum Type {
        BOOLEAN,
        LONG,
        DOUBLE,
        STRING,
        LIST
    }

    /** How likely an operator has to set it. */
    public enum Importance {
        HIGH,
        MEDIUM,
        LOW
    }

    private record Rule<T>(Predicate<T> holds, String text) {}

    private final String name;
    private final Type type;
    private final Importance importance;
    private final @Nullable Object defaultValue;
    private final String doc;
    private final List<String> choices;
    private final Function<Object, T> reader;
    private final List<Rule<T>> rules;
    private final boolean isDynamic;

    private ConfigKey(
            String name,
            Type type,
            Importance importance,
            @Nullable Object defaultValue,
            String doc,
            List<String> choices,
            Function<Object, T> reader,
            List<Rule<T>> rules,
            boolean isDynamic) {
        this.name = name;
        this.type = type;
        this.importance = importance;
        this.defaultValue = defaultValue;
        this.doc = doc;
        this.choices = choices;
        this.reader = reader;
        this.rules = rules;
        this.isDynamic = isDynamic;
    }

    /** A boolean without a default. */
    public static ConfigKey<Boolean> ofBoolean(String name, Importance importance, String doc) {
        return of(name, Type.BOOLEAN, importance, null, doc, Boolean.class::cast);
    }

    public static ConfigKey<Boolean> ofBoolean(String name, Importance importance, boolean defaultValue, String doc) {
        return of(name, Type.BOOLEAN, importance, defaultValue, doc, Boolean.class::cast);
    }

    public static ConfigKey<Long> ofLong(String name, Importance importance, long defaultValue, String doc) {
        return of(name, Type.LONG, importance, defaultValue, doc, Long.class::cast);
    }

    public static ConfigKey<Double> ofDouble(String name, Importance importance, double defaultValue, String doc) {
        return of(name, Type.DOUBLE, importance, defaultValue, doc, Double.class::cast);
    }

    /**
     * A list, empty by default.
     *
     * @param reader makes our value of the elements; throws an {@link IllegalArgumentException} when it cannot
     */
    public static <T> ConfigKey<T> ofList(
            String name, Importance importance, Function<List<String>, T> reader, String doc) {
        return of(
                name,
                Type.LIST,
                importance,
                List.of(),
                doc,
                value -> reader.apply(
                        ((List<?>) value).stream().map(Object::toString).toList()));
    }

    /** One of the constants of an enum, which an operator writes in lower case. */
    public static <E extends Enum<E>> ConfigKey<E> ofEnum(
            String name, Importance importance, E defaultValue, String doc) {
        Class<E> constants = defaultValue.getDeclaringClass();
        return new ConfigKey<>(
                name,
                Type.STRING,
                importance,
                lowerCase(defaultValue),
                doc,
                Arrays.stream(constants.getEnumConstants())
                        .map(ConfigKey::lowerCase)
                        .toList(),
                value -> Enum.valueOf(constants, value.toString().toUpperCase(Locale.ROOT)),
                List.of(),
                false);
    }

    private static <T> ConfigKey<T> of(
            String name,
            Type type,
            Importance importance,
            @Nullable Object defaultValue,
            String doc,
            Function<Object, T> reader) {
        return new ConfigKey<>(name, type, importance, defaultValue, doc, List.of(), reader, List.of(), false);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The same key, which can be changed while the broker runs. */
    public ConfigKey<T> dynamic() {
        return new ConfigKey<>(name, type, importance, defaultValue, doc, choices, reader, rules, true);
    }

    /**
     * The same key with one more rule.
     *
     * @param text says what the value must be, as the end of a message
     */
    public ConfigKey<T> where(Predicate<T> holds, String text) {
        List<Rule<T>> more = new ArrayList<>(rules);
        more.add(new Rule<>(holds, text));
        return new ConfigKey<>(
                name, type, importance, defaultValue, doc, choices, reader, List.copyOf(more), isDynamic);
    }

    public String name() {
        return name;
    }

    public Type type() {
        return type;
    }

    public Importance importance() {
        return importance;
    }

    /** As an operator would write it, or null. */
    public @Nullable Object defaultValue() {
        return defaultValue;
    }

    public String doc() {
        return doc;
    }

    /** The only values allowed; empty when any value of the type is allowed. */
    public List<String> choices() {
        return choices;
    }

    public boolean isDynamic() {
        return isDynamic;
    }

    /**
     * Our value of an operator's.
     *
     * @param value of the key's type
     * @throws IllegalArgumentException that names the key and the value, when there is none
     */
    public T read(Object value) {
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(with(value) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks a value by the key's rules.
     *
     * @throws IllegalArgumentException that names the key and the value, when a rule does not hold
     */
    public void check(T value) {
        rules.forEach(rule -> require(rule.holds().test(value), value, rule.text()));
    }

    /**
     * Checks a rule about this key and another.
     *
     * @throws IllegalArgumentException that names the key and the value, when the rule does not hold
     */
    public void require(boolean holds, T value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(with(value) + ": " + rule);
        }
    }

    /** The key with this value as an operator writes it, as in {@code tiered.ssd.dirs=/a,/b}. */
    public String with(Object value) {
        return name + "="
                + (value instanceof Collection<?> list
                        ? list.stream().map(Object::toString).collect(Collectors.joining(","))
                        : value);
    }

    /** The name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
