/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads the first 8 bytes of a value, the instant at which the record was due, and copies nothing. Stateless. */
public final class DueTime implements Deserializer<Long> {
    @Override
    public Long deserialize(String topic, byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    @Override
    public Long deserialize(String topic, Headers headers, ByteBuffer value) {
        return value.getLong(value.position());
    }
}
