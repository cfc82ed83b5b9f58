/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The output of a command, and its exit code. Immutable. */
record Said(int exitCode, String out, String err) {
    /** Runs a command in this JVM, with a config file. */
    static Said by(Path config, String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(1, List.of("--config", config.toString()));
        return by(arguments.toArray(String[]::new));
    }

    static Said by(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = new CommandLine(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
        return new Said(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError(this.toString(), e);
        }
    }
}
