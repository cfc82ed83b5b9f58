/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredSsd;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a replica from leading after its tail was truncated, while other replicas may still have it. Stateless. */
final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private Leadership() {}

    /**
     * Returns when this broker may lead.
     *
     * @throws KafkaStorageException when it must not; Kafka then takes its replica offline, and nothing is lost
     */
    static void require(TieredSsd tier, TopicPartition partition, int replicas, int inSync) {
        Path incomplete;
        try {
            incomplete = tier.mustNotLead(partition.toString(), replicas, inSync);
        } catch (IOException e) {
            throw new KafkaStorageException("Cannot find out whether this replica of " + partition + " is complete", e);
        }
        if (incomplete != null) {
            LOG.error(
                    "This broker must not lead {}: its log was truncated when an SSD was lost, and it has not fetched"
                            + " the lost records from a leader since. file={} Its replica is taken offline, because the"
                            + " other replicas would truncate their logs to this one. Stop this broker, let another"
                            + " replica lead (kafka-leader-election.sh --election-type unclean), and start it again. If"
                            + " no other replica has more records, delete the file while the broker is down.",
                    partition,
                    incomplete);
            throw new KafkaStorageException("The log of " + partition + " was truncated; see " + incomplete);
        }
    }
}
