/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.io.File;
import java.io.IOException;
import org.apache.kafka.common.record.internal.FileRecords;

/** A main class that is no broker and takes a segment's file through its life. */
final class OpenRecords {
    private OpenRecords() {}

    public static void main(String[] file) throws IOException {
        FileRecords records = FileRecords.open(new File(file[0]), true);
        records.renameTo(new File(file[0] + ".deleted"));
        System.out.println("deleted: " + records.deleteIfExists());
    }
}
