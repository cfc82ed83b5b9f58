/** To be described. */
@NullMarked
package io.kafkapatches.agent;

import org.jspecify.annotations.NullMarked;
