/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The events of a web shop, made from partition and offset alone, so that each can be made again and compared.
 * Stateless.
 */
final class Events {
    private static final String[] KINDS = {"view", "view", "view", "search", "cart", "order"};
    private static final String[] PRODUCTS = {"kettle", "lamp", "bicycle", "notebook", "tent", "headphones", "teapot"};

    private Events() {}

    static byte[] key(long offset) {
        return ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
    }

    /** Some 200 to 1,800 bytes of JSON. */
    static byte[] value(int partition, long offset) {
        SplittableRandom random = new SplittableRandom(partition * 0x9E3779B97F4A7C15L ^ offset);
        StringBuilder json = new StringBuilder(1024);
        json.append("{\"shop\":").append(partition).append(",\"event\":").append(offset);
        json.append(",\"kind\":\"").append(KINDS[random.nextInt(KINDS.length)]).append("\",\"session\":\"");
        json.append(Long.toHexString(random.nextLong())).append("\",\"items\":[");
        int items = 1 + random.nextInt(16);
        for (int item = 0; item < items; item++) {
            json.append(item == 0 ? "{\"product\":\"" : ",{\"product\":\"");
            json.append(PRODUCTS[random.nextInt(PRODUCTS.length)]).append('-').append(random.nextInt(100_000));
            json.append("\",\"price\":").append(random.nextInt(1, 99_999)).append(",\"token\":\"");
            json.append(Long.toHexString(random.nextLong()))
                    .append(Long.toHexString(random.nextLong()))
                    .append("\"}");
        }
        return json.append("]}").toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** True if the record is the one that belongs at its offset. */
    static boolean isUnchanged(ConsumerRecord<byte[], byte[]> found) {
        return Arrays.equals(found.key(), key(found.offset()))
                && Arrays.equals(found.value(), value(found.partition(), found.offset()));
    }
}
