/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A directory with the last result of each experiment, as JSON. Keeps no state of its own. */
record Results(Path dir) {
    private static final ObjectMapper JSON = new ObjectMapper();

    void write(Result result) throws IOException {
        JSON.writerWithDefaultPrettyPrinter()
                .writeValue(
                        file(Files.createDirectories(dir), result.experiment()).toFile(), result);
    }

    /** Nothing when the experiment was never run. */
    Optional<Result> read(String experiment) throws IOException {
        Path file = file(dir, experiment);
        return Files.exists(file) ? Optional.of(JSON.readValue(file.toFile(), Result.class)) : Optional.empty();
    }

    private static Path file(Path dir, String experiment) {
        return dir.resolve(experiment + ".json");
    }
}
