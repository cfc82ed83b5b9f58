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
 * <p>A file in it says that it is ours and which process is its broker: what is not ours is never deleted, and what a
 * broker still uses is not either.
 */
record Workspace(Path dir) {
    private static final String MARK = ".quickstart";
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
            if (!Files.exists(mark())) {
                throw new IOException(dir + " is not empty and not from an earlier quickstart; choose another --dir");
            }
            refuseWhileInUse();
            delete();
        }
        Files.createDirectories(dir);
        Files.writeString(mark(), "");
        long freeBytes = Files.getFileStore(dir).getUsableSpace();
        if (freeBytes < neededBytes + SPARE_BYTES) {
            delete();
            throw new IOException("too little disk: %s needed, %s free in %s; use --dir, --rate or --seconds"
                    .formatted(LiveView.mb(neededBytes + SPARE_BYTES), LiveView.mb(freeBytes), dir));
        }
    }

    /** Notes which process works on the directory. */
    void usedBy(long pid) throws IOException {
        Files.writeString(mark(), String.valueOf(pid));
    }

    /** Deletes the directory and all that is in it; links, but not what they lead to. */
    void delete() throws IOException {
        Utils.delete(dir.toFile());
    }

    private void refuseWhileInUse() throws IOException {
        String pid = Files.readString(mark()).trim();
        Optional<ProcessHandle> broker = pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
        // A pid may be another process by now; a broker of ours has its properties on its command line.
        if (broker.flatMap(process -> process.info().arguments()).stream()
                .flatMap(Stream::of)
                .anyMatch(dir.resolve("server.properties").toString()::equals)) {
            throw new IOException("a broker still runs in %s: stop it with kill %s, or choose another --dir and --port"
                    .formatted(dir, pid));
        }
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    private Path mark() {
        return dir.resolve(MARK);
    }
}
