/** To be described. */
@NullMarked
package io.kafkapatches.benchmarks;

import org.jspecify.annotations.NullMarked;
