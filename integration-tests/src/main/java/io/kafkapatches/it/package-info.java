/** To be described. */
@NullMarked
package io.kafkapatches.it;

import org.jspecify.annotations.NullMarked;
