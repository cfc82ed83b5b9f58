/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The kernel's view of how much of a file is not on its device yet: pages that are dirty or being written. One thread
 * asks.
 *
 * <p>The system call {@code cachestat} (Linux 6.5) knows it. Perl makes system calls, and is on every Debian.
 */
final class DirtyPages implements AutoCloseable {
    /** A path in, a number of pages out; 0 for a file that is gone, -1 when the kernel does not say. */
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

    /** @throws IOException when the kernel is too old, or perl is not there */
    long bytes(Path file) throws IOException {
        questions.write(file + "\n");
        questions.flush();
        String pages = answers.readLine();
        if (pages == null || pages.equals("-1")) {
            throw new IOException("the kernel does not say what is dirty of " + file);
        }
        return Long.parseLong(pages) * PAGE_BYTES;
    }

    @Override
    public void close() {
        perl.destroy();
    }
}
