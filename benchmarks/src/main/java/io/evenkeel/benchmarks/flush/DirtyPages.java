/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The number of bytes of a file that the kernel has not written to the device yet: pages that are dirty or being
 * written. Used by one thread.
 *
 * <p>The system call {@code cachestat} (Linux 6.5) returns that number. A child process in Perl makes the call, because
 * Perl is on every Debian.
 */
final class DirtyPages implements AutoCloseable {
    /** Reads a path and prints a number of pages: 0 for a file that is gone, -1 when the system call fails. */
    private static final String ASK = """
            $| = 1;
            while (my $path = <STDIN>) {
                chomp $path;
                my ($range, $stat, $pages) = (pack("QQ", 0, 0), "\\0" x 40, 0);
                if (open(my $file, "<", $path)) {
                    my $result = syscall(451, fileno($file), $range, $stat, 0);
                    my ($cached, $dirty, $writeback) = unpack("QQQ", $stat);
                    $pages = $result == 0 ? $dirty + $writeback : -1;
                }
                print "$pages\\n";
            }
            """;

    private static final int PAGE_BYTES = 4096;

    private final Process perl;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    DirtyPages() throws IOException {
        this.perl = new ProcessBuilder("perl", "-e", ASK)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.questions = perl.outputWriter();
        this.answers = perl.inputReader();
    }

    /** @throws IOException when the kernel is too old, or there is no perl */
    long bytes(Path file) throws IOException {
        questions.write(file + "\n");
        questions.flush();
        String pages = answers.readLine();
        if (pages == null || pages.equals("-1")) {
            throw new IOException("cachestat failed: file=" + file + "; it needs Linux 6.5 or newer, and perl");
        }
        return Long.parseLong(pages) * PAGE_BYTES;
    }

    @Override
    public void close() {
        perl.destroy();
    }
}
