/** The SSD cache tier. */
@NullMarked
package io.kafkapatches.tiered;

import org.jspecify.annotations.NullMarked;
