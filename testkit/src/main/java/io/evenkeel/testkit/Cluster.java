/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.util.Map;

/** Joins several nodes into one cluster whose controller is node 1. Stateless. */
public final class Cluster {
    private Cluster() {}

    /** The node as a broker only, in the cluster of {@code controller}. */
    public static BrokerConfig broker(BrokerConfig node, int nodeId, BrokerConfig controller) {
        return node.with(Map.of(
                "process.roles",
                "broker",
                "node.id",
                String.valueOf(nodeId),
                "controller.quorum.voters",
                "1@localhost:" + controller.controllerPort(),
                "listeners",
                "PLAINTEXT://localhost:" + node.port()));
    }

    /** The node as node 1, and as a controller only. */
    public static BrokerConfig controller(BrokerConfig node) {
        String listener = "CONTROLLER://localhost:" + node.controllerPort();
        return node.with(
                Map.of("process.roles", "controller", "listeners", listener, "advertised.listeners", listener));
    }
}
