/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What {@code iostat} of sysstat, a program that nobody here wrote, sees written to a device in each of the next
 * seconds. For one thread.
 */
public final class Iostat implements AutoCloseable {
    private static final int WRITTEN_KB_PER_SECOND = 3;

    private final String device;
    private final Process process;

    private Iostat(String device, Process process) {
        this.device = device;
        this.process = process;
    }

    /**
     * Begins to look.
     *
     * @throws IOException when it is not installed
     */
    public static Iostat start(String device, int seconds) throws IOException {
        ProcessBuilder command = new ProcessBuilder("iostat", "-y", "-d", "-k", device, "1", "" + seconds);
        command.environment().put("LC_ALL", "C");
        return new Iostat(
                device, command.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Waits until the seconds are over; megabytes a second, in the order of the seconds. */
    public List<Double> mbPerSecond() throws IOException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<Double> rates = parse(output, device);
        if (rates.isEmpty()) {
            throw new IOException("iostat says nothing of " + device + ": " + output);
        }
        return rates;
    }

    static List<Double> parse(String output, String device) {
        return output.lines()
                .map(line -> line.split("\\s+", -1))
                .filter(fields -> fields[0].equals(device))
                .map(fields -> Double.parseDouble(fields[WRITTEN_KB_PER_SECOND]) * 1024 / 1e6)
                .toList();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
