/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.disk.LogDirLocks;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.inspect.OfflineDrain;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** The drain of a stopped broker: one thread copies for each log directory. Made for one run. */
final class StoppedDrain {
    private static final long SAY_EVERY_SECONDS = 2;

    /**
     * The output of {@code --json}.
     *
     * @param copiedSegments the number of segments that were only on the SSDs
     * @param left what stays in the SSD directories: it does not belong to this broker, or the SSD can only be read
     * @param failed the segments that could not be copied
     */
    record Report(long copiedSegments, long copiedBytes, List<String> left, List<Failed> failed) {}

    /**
     * A segment that could not be copied.
     *
     * @param fromOffset its base offset: its records begin there, and end before the next segment's
     * @param reason with the position in the file where it could not be read
     */
    record Failed(String path, String partition, long fromOffset, long bytes, String reason) {
        static Failed of(OfflineDrain.Failure failure) {
            SurveyedSegment segment = failure.segment();
            return new Failed(
                    segment.path().toString(),
                    segment.partition(),
                    segment.baseOffset(),
                    segment.sizeBytes(),
                    CommandLine.inOneLine(failure.cause()));
        }
    }

    private final BrokerDisks disks;
    private final Output output;
    private final LongAdder copiedSegments = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();

    StoppedDrain(BrokerDisks disks, Output output) {
        this.disks = disks;
        this.output = output;
    }

    int run() throws IOException, InterruptedException {
        if (!disks.unreadable().isEmpty()) {
            throw new IOException("A log directory cannot be read and may have links to the SSD; nothing has been"
                    + " changed. Make it readable, then run the drain again: "
                    + disks.unreadable().get(0).detail());
        }
        requireSameUser();
        List<Path> left = List.of();
        List<Failed> failed;
        LogDirLocks locks =
                LogDirLocks.take(disks.logDirs(), "stop it, or drain it while it runs with --bootstrap-server");
        try (locks) {
            OfflineDrain drain = new OfflineDrain(
                    new FileOps(), disks.logDirs(), disks.settings().ssdDirs());
            requireRoom(drain);
            failed = copy(drain).stream().map(Failed::of).toList();
            if (failed.isEmpty()) {
                left = drain.emptySsds();
            }
        }
        Report report = new Report(
                copiedSegments.sum(),
                copiedBytes.sum(),
                left.stream().map(Path::toString).toList(),
                failed);
        output.report(report);
        show(report);
        return failed.isEmpty() ? CommandLine.OK : CommandLine.CANNOT;
    }

    /** Root would follow whatever links it finds, and leave files that the broker cannot open. */
    private void requireSameUser() throws IOException {
        Path self = Path.of("/proc/self");
        if (!Files.exists(self)) {
            return;
        }
        UserPrincipal user = Files.getOwner(self);
        for (LogDirMeta logDir : disks.logDirs()) {
            UserPrincipal owner = Files.getOwner(logDir.path());
            if (!owner.equals(user)) {
                throw new IOException(logDir.path() + " belongs to " + owner.getName() + ", but this is "
                        + user.getName() + "; run the command as " + owner.getName() + ", as in: sudo -u "
                        + owner.getName());
            }
        }
    }

    private void requireRoom(OfflineDrain drain) throws IOException {
        for (LogDirMeta logDir : disks.logDirs()) {
            long neededBytes = bytes(drain.links(logDir.path()));
            long freeBytes = logDir.path().toFile().getUsableSpace();
            if (neededBytes > freeBytes) {
                throw new IOException(
                        "The HDD has too little free space for the segments on the SSD; nothing has been changed."
                                + " Free some space:"
                                + " needed=" + Output.size(neededBytes) + " free=" + Output.size(freeBytes)
                                + " directory=" + logDir.path());
            }
        }
    }

    private List<OfflineDrain.Failure> copy(OfflineDrain drain) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(disks.logDirs().size());
        try {
            List<Future<List<OfflineDrain.Failure>>> copies = new ArrayList<>();
            List<SurveyedSegment> all = new ArrayList<>();
            for (LogDirMeta logDir : disks.logDirs()) {
                all.addAll(drain.links(logDir.path()));
                copies.add(threads.submit(() -> drain.copyLinks(logDir.path(), this::copied)));
            }
            List<OfflineDrain.Failure> failures = new ArrayList<>();
            for (Future<List<OfflineDrain.Failure>> copy : copies) {
                failures.addAll(await(copy, all.size(), bytes(all)));
            }
            return failures;
        } finally {
            threads.shutdownNow();
        }
    }

    private void copied(long bytes) {
        copiedSegments.increment();
        copiedBytes.add(bytes);
    }

    private <T> T await(Future<T> copy, int segments, long bytes) throws IOException, InterruptedException {
        while (true) {
            try {
                return copy.get(SAY_EVERY_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                output.progress("copied " + copiedSegments + " of " + segments + " segments, "
                        + Output.size(copiedBytes.sum()) + " of " + Output.size(bytes));
            } catch (ExecutionException e) {
                throw new IOException(
                        e.getCause() instanceof Exception cause
                                ? CommandLine.inOneLine(cause)
                                : String.valueOf(e.getCause()),
                        e);
            }
        }
    }

    private static long bytes(List<SurveyedSegment> segments) {
        return segments.stream().mapToLong(SurveyedSegment::sizeBytes).sum();
    }

    private void show(Report report) {
        String copied = "Copied " + Output.count(report.copiedSegments(), "segment") + " ("
                + Output.size(report.copiedBytes()) + ") to the HDD. ";
        if (!report.failed().isEmpty()) {
            output.line(copied + Output.count(report.failed().size(), "segment") + " could not be copied:");
            report.failed()
                    .forEach(failed -> output.line("  " + failed.partition() + " from offset " + failed.fromOffset()
                            + ", " + Output.size(failed.bytes()) + ": " + failed.reason()));
            output.line("They stay on the SSD, and so do all other files there. Run the drain again; a read may succeed"
                    + " later. To give these segments up, replace the SSD and start once with tiered.ssd.on.missing="
                    + "truncate: each partition is cut at its first missing segment, and follows its leader.");
            return;
        }
        output.line(copied + "No link is left.");
        if (report.left().isEmpty()) {
            output.line("The SSD directories are empty. To remove the SSD, remove the tiered.ssd.* keys first.");
        } else {
            output.line("These stay, because they do not belong to this broker, or the SSD can only be read:");
            report.left().forEach(path -> output.line("  " + path));
        }
    }
}
