/** The SSD cache tier. */
@NullMarked
package io.kafkapatches.tiered.kafka;

import org.jspecify.annotations.NullMarked;
