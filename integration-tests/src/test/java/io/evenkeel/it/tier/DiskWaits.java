/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import io.evenkeel.testkit.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks again and again whether the network threads of a broker wait for a disk, as the kernel sees it. */
final class DiskWaits {
    /** One line of a thread dump; the number is hexadecimal up to JDK 20. */
    private static final Pattern NETWORK_THREAD =
            Pattern.compile("^\"data-plane-kafka-network-thread.* nid=(0x)?([0-9a-f]+)", Pattern.MULTILINE);

    private final List<Path> threads = new ArrayList<>();
    private final List<String> places = new ArrayList<>();
    private long samples;

    DiskWaits(Broker broker) throws IOException {
        Matcher found = NETWORK_THREAD.matcher(ThreadDump.of(broker));
        while (found.find()) {
            long id = Long.parseLong(found.group(2), found.group(1) == null ? 10 : 16);
            threads.add(Path.of("/proc/" + broker.pid() + "/task/" + id + "/stat"));
        }
        if (threads.isEmpty()) {
            throw new IOException("no network thread in the thread dump of " + broker);
        }
    }

    /** Looks at each network thread once. */
    void sample() throws IOException {
        for (Path thread : threads) {
            String stat = Files.readString(thread);
            samples++;
            if (stat.startsWith("D", stat.lastIndexOf(')') + 2)) {
                places.add(Files.readString(thread.resolveSibling("stack")));
            }
        }
    }

    long samples() {
        return samples;
    }

    /**
     * Where in the kernel a thread was, for each time it could not go on before a disk had answered; empty when it went
     * on before its place could be read.
     */
    List<String> places() {
        return places;
    }
}
