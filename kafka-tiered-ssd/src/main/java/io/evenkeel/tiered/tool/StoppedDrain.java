/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.disk.LogDirLocks;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.inspect.OfflineDrain;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Path;
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
     * @param left files that stay in the SSD directories, because they do not belong to this broker
     */
    record Report(long copiedSegments, long copiedBytes, List<String> left) {}

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
        List<Path> left;
        LogDirLocks locks =
                LogDirLocks.take(disks.logDirs(), "stop it, or drain it while it runs with --bootstrap-server");
        try (locks) {
            OfflineDrain drain = new OfflineDrain(
                    new FileOps(), disks.logDirs(), disks.settings().ssdDirs());
            requireRoom(drain);
            copy(drain);
            left = drain.emptySsds();
        }
        Report report = new Report(
                copiedSegments.sum(),
                copiedBytes.sum(),
                left.stream().map(Path::toString).toList());
        output.report(report);
        show(report);
        return CommandLine.OK;
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

    private void copy(OfflineDrain drain) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(disks.logDirs().size());
        try {
            List<Future<?>> copies = new ArrayList<>();
            List<SurveyedSegment> all = new ArrayList<>();
            for (LogDirMeta logDir : disks.logDirs()) {
                all.addAll(drain.links(logDir.path()));
                copies.add(threads.submit(() -> {
                    drain.copyLinks(logDir.path(), this::copied);
                    return null;
                }));
            }
            for (Future<?> copy : copies) {
                await(copy, all.size(), bytes(all));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void copied(long bytes) {
        copiedSegments.increment();
        copiedBytes.add(bytes);
    }

    private void await(Future<?> copy, int segments, long bytes) throws IOException, InterruptedException {
        while (true) {
            try {
                copy.get(SAY_EVERY_SECONDS, TimeUnit.SECONDS);
                return;
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
        output.line("Copied " + Output.count(report.copiedSegments(), "segment") + " ("
                + Output.size(report.copiedBytes()) + ") to the HDD. No link is left.");
        if (report.left().isEmpty()) {
            output.line("The SSD directories are empty. To remove the SSD, remove the tiered.ssd.* keys first.");
        } else {
            output.line("These files stay on the SSD, because they do not belong to this broker:");
            report.left().forEach(path -> output.line("  " + path));
        }
    }
}
