/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

/** Writes to all partitions in turn, as fast as the broker allows, until it is ended. */
final class Load extends Thread {
    private final RecordWriter writer;
    private final int partitions;
    private volatile boolean ended;

    Load(RecordWriter writer, int partitions) {
        super("load");
        this.writer = writer;
        this.partitions = partitions;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            for (int i = 0; !ended; i++) {
                writer.send(i % partitions);
            }
        } catch (RuntimeException e) {
            if (!ended) {
                throw e;
            }
        }
    }

    void end() throws InterruptedException {
        ended = true;
        writer.close();
        join();
    }
}
