/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredSsd;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a replica from leading that has given up records which others may still have. Stateless. */
final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private Leadership() {}

    /**
     * Returns when this broker may lead.
     *
     * @throws KafkaStorageException when it must not; Kafka then takes its replica offline, and nothing is lost
     */
    static void require(TieredSsd tier, TopicPartition partition, int replicas, int inSync) {
        Path mark;
        try {
            mark = tier.mustNotLead(partition.toString(), replicas, inSync);
        } catch (IOException e) {
            throw new KafkaStorageException("Cannot find out whether this replica of " + partition + " is complete", e);
        }
        if (mark != null) {
            LOG.error(
                    "This broker is to lead {}, but it has given up records of it when an SSD was lost, and no leader has given "
                            + "them back. Its replica is taken offline, or the others would throw away what they have. Stop this "
                            + "broker, let another replica lead (kafka-leader-election.sh --election-type unclean), and start it "
                            + "again. If no other replica has more, delete {} while the broker is down.",
                    partition,
                    mark);
            throw new KafkaStorageException("Records of " + partition + " were given up; see " + mark);
        }
    }
}
