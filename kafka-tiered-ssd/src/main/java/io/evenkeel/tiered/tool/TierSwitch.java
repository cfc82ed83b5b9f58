/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.TierMode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/** Sets the tier mode of a running broker, as {@code kafka-configs.sh} does. Not thread safe. */
final class TierSwitch implements AutoCloseable {
    private static final String TIMEOUT_MS = "20000";

    private final Admin admin;
    private final String bootstrapServer;
    private final String nodeId;

    private TierSwitch(Admin admin, String bootstrapServer, String nodeId) {
        this.admin = admin;
        this.bootstrapServer = bootstrapServer;
        this.nodeId = nodeId;
    }

    /**
     * Connects to the cluster of the broker that owns the disks.
     *
     * @param commandConfig a properties file, or null
     * @throws IOException when the disks belong to another cluster, or the broker is not in the cluster now
     */
    static TierSwitch connect(BrokerDisks disks, String bootstrapServer, @Nullable String commandConfig)
            throws IOException, InterruptedException {
        Properties client = new Properties();
        client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        if (commandConfig != null) {
            try (Reader reader = Files.newBufferedReader(Path.of(commandConfig))) {
                client.load(reader);
            }
        }
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServer);
        TierSwitch opened = new TierSwitch(Admin.create(client), bootstrapServer, disks.nodeId());
        try {
            opened.requireSameCluster(disks);
            return opened;
        } catch (IOException | InterruptedException e) {
            opened.close();
            throw e;
        }
    }

    private void requireSameCluster(BrokerDisks disks) throws IOException, InterruptedException {
        DescribeClusterResult cluster = admin.describeCluster();
        String clusterId = answer(cluster.clusterId());
        if (!disks.clusterId().equals(clusterId)) {
            throw new IOException("The disks belong to cluster " + disks.clusterId() + ", but " + bootstrapServer
                    + " is in cluster " + clusterId);
        }
        if (answer(cluster.nodes()).stream().noneMatch(node -> node.idString().equals(nodeId))) {
            throw new IOException("The disks belong to node " + nodeId
                    + ", which is not in the cluster now; if it is stopped, drain it with --offline");
        }
    }

    void drain() throws IOException, InterruptedException {
        alter(TierMode.DRAIN.name().toLowerCase(Locale.ROOT), AlterConfigOp.OpType.SET);
    }

    /** False when somebody has set another mode since, or has deleted this one. */
    boolean drains() throws IOException, InterruptedException {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, nodeId);
        Config config = answer(admin.describeConfigs(List.of(broker)).all()).get(broker);
        ConfigEntry mode = config == null ? null : config.get(DynamicTierSettings.MODE.name());
        return mode != null && TierMode.DRAIN.name().equalsIgnoreCase(mode.value());
    }

    void cancelDrain() throws IOException, InterruptedException {
        alter("", AlterConfigOp.OpType.DELETE);
    }

    private void alter(String value, AlterConfigOp.OpType type) throws IOException, InterruptedException {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, nodeId);
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(DynamicTierSettings.MODE.name(), value), type);
        answer(admin.incrementalAlterConfigs(Map.of(broker, List.of(change))).all());
    }

    private <T> T answer(KafkaFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(bootstrapServer + " could not complete the request: " + cause.getMessage(), e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
