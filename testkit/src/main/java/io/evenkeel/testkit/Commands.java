/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs command line tools of the operating system to their end. Stateless. */
public final class Commands {
    private Commands() {}

    /** Returns the command's output; throws with the output if the command failed. */
    public static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IOException(List.of(command) + " ended with " + exit + ": " + output);
            }
            return output.strip();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while running " + List.of(command), e);
        } finally {
            process.destroyForcibly();
        }
    }
}
