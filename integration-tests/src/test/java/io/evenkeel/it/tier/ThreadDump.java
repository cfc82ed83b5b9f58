/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.testkit.Broker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What the threads of a broker do, all at one instant. */
final class ThreadDump {
    private ThreadDump() {}

    /** A paragraph for each thread. */
    static String of(Broker broker) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process dump = new ProcessBuilder(jcmd.toString(), "" + broker.pid(), "Thread.print").start();
        return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
