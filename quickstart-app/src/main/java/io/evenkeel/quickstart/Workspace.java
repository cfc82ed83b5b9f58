/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * The directory of a run. One thread at a time uses it.
 *
 * <p>A file in it says that the directory is the quickstart's, and names the broker's process. The quickstart never
 * deletes another directory, nor one that a broker still uses.
 */
record Workspace(Path dir) {
    private static final String OWNER_FILE = ".quickstart";
    private static final long SPARE_BYTES = 500_000_000;

    Path hdd() {
        return dir.resolve("hdd");
    }

    Path ssd() {
        return dir.resolve("ssd");
    }

    /** Makes the directory, empty, in place of an earlier run's. */
    void create(long neededBytes) throws IOException {
        if (Files.exists(dir) && !list().isEmpty()) {
            if (!Files.exists(ownerFile())) {
                throw new IOException(dir + " is not empty and not from an earlier quickstart; choose another --dir");
            }
            refuseWhileInUse();
            delete();
        }
        Files.createDirectories(dir);
        Files.writeString(ownerFile(), "");
        long freeBytes = Files.getFileStore(dir).getUsableSpace();
        if (freeBytes < neededBytes + SPARE_BYTES) {
            delete();
            throw new IOException("not enough disk space: %s needed, %s free in %s; change --dir, --rate or --seconds"
                    .formatted(LiveView.mb(neededBytes + SPARE_BYTES), LiveView.mb(freeBytes), dir));
        }
    }

    /** Notes which process works on the directory. */
    void usedBy(long pid) throws IOException {
        Files.writeString(ownerFile(), String.valueOf(pid));
    }

    /** Deletes the directory and everything in it; links, but not their targets. */
    void delete() throws IOException {
        Utils.delete(dir.toFile());
    }

    private void refuseWhileInUse() throws IOException {
        String pid = Files.readString(ownerFile()).trim();
        Optional<ProcessHandle> broker = pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
        // A pid may be another process by now; a broker of ours has its properties on its command line.
        if (broker.flatMap(process -> process.info().arguments()).stream()
                .flatMap(Stream::of)
                .anyMatch(dir.resolve("server.properties").toString()::equals)) {
            throw new IOException("a broker still runs in %s; stop it with kill %s, or choose another --dir and --port"
                    .formatted(dir, pid));
        }
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    private Path ownerFile() {
        return dir.resolve(OWNER_FILE);
    }
}
