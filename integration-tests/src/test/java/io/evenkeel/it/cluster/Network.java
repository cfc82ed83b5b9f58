/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace for each of several nodes. A cable connects each node to one switch, and this process is
 * connected to that switch as well. A node whose cable is pulled receives no packets and no refusals. Needs root. One
 * thread drives it.
 *
 * <p>As with {@link LoopDisk}, a shell creates the network and removes it when this JVM ends, however it ends.
 */
final class Network implements AutoCloseable {
    private static final long CLEAN_UP_SECONDS = 30;

    /** Arguments: name, first three numbers of the addresses, how many nodes. */
    private static final String KEEP = """
            trap '' HUP INT TERM
            name=$1 subnet=$2 nodes=$3
            build() {
                ip netns add "$name-0" &&
                ip -n "$name-0" link add switch type bridge &&
                ip -n "$name-0" link set switch up &&
                ip link add "$name" type veth peer name port0 netns "$name-0" &&
                ip addr add "$subnet.254/24" dev "$name" &&
                ip link set "$name" up &&
                ip -n "$name-0" link set port0 master switch up || return
                for i in $(seq "$nodes"); do
                    ip netns add "$name-$i" &&
                    ip -n "$name-$i" link set lo up &&
                    ip -n "$name-$i" link add eth0 type veth peer name "port$i" netns "$name-0" &&
                    ip -n "$name-$i" addr add "$subnet.$i/24" dev eth0 &&
                    ip -n "$name-$i" link set eth0 up &&
                    ip -n "$name-0" link set "port$i" master switch up || return
                done
                echo built
            }
            build
            cat >/dev/null
            for i in $(seq 0 "$nodes"); do ip netns del "$name-$i"; done
            """;

    private final String name;
    private final String subnet;
    private final Process keeper;

    /** With nodes 1 to {@code nodes}. */
    Network(int nodes) throws IOException {
        long pid = ProcessHandle.current().pid();
        this.name = "kp" + pid;
        this.subnet = "198.18." + pid % 256;
        this.keeper = new ProcessBuilder("sh", "-c", KEEP, "network", name, subnet, "" + nodes)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Scanner answer = new Scanner(keeper.getInputStream(), StandardCharsets.UTF_8);
        if (!answer.hasNext()) {
            close();
            throw new IOException("no network " + name + "; the reason is on the error stream");
        }
    }

    String address(int node) {
        return subnet + "." + node;
    }

    /** The beginning of a command line that is to run on a node. */
    List<String> on(int node) {
        return List.of("nsenter", "--net=/run/netns/" + name + "-" + node);
    }

    void cut(int node) throws IOException {
        cable(node, "down");
    }

    void mend(int node) throws IOException {
        cable(node, "up");
    }

    private void cable(int node, String state) throws IOException {
        Commands.run("ip", "-n", name + "-0", "link", "set", "port" + node, state);
    }

    @Override
    public void close() throws IOException {
        keeper.getOutputStream().close();
        try {
            if (!keeper.waitFor(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("still there after " + CLEAN_UP_SECONDS + " s: network " + name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while removing network " + name, e);
        }
    }
}
