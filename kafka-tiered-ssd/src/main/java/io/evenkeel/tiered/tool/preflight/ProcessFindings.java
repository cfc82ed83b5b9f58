/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The user that runs the tool, and this user's limits: both should be the broker's. Stateless. */
final class ProcessFindings {
    private static final Path SELF = Path.of("/proc/self");
    private static final String OPEN_FILES = "Max open files";

    /** What Kafka's own documentation asks for. */
    private static final long ENOUGH_OPEN_FILES = 100_000;

    private ProcessFindings() {}

    static List<Finding> of(List<Path> logDirs) throws IOException {
        List<Finding> findings = new ArrayList<>();
        if (Files.exists(SELF)) {
            findings.add(user(logDirs));
            openFiles(Files.readAllLines(SELF.resolve("limits"))).ifPresent(findings::add);
        }
        return findings;
    }

    /** Root may write everywhere, so it would not notice what the broker's user may not. */
    private static Finding user(List<Path> logDirs) throws IOException {
        UserPrincipal self = Files.getOwner(SELF);
        for (Path logDir : logDirs) {
            UserPrincipal owner = Files.exists(logDir) ? Files.getOwner(logDir) : self;
            if (!owner.equals(self)) {
                return Finding.wrong(
                        "user",
                        "the tool runs as " + self + ", but " + logDir + " belongs to " + owner + ": run it as " + owner
                                + ", so that it sees what the broker may read and write");
            }
        }
        return Finding.ok("user", "the tool runs as " + self + ", who owns the log directories");
    }

    /** @param limits as in {@code /proc/self/limits} */
    static Optional<Finding> openFiles(List<String> limits) {
        return limits.stream()
                .filter(line -> line.startsWith(OPEN_FILES))
                .map(line -> line.substring(OPEN_FILES.length())
                        .trim()
                        .split(" +", -1)[1]) // the JVM raises it to the hard one
                .map(hard -> hard.equals("unlimited") || Long.parseLong(hard) >= ENOUGH_OPEN_FILES
                        ? Finding.ok("open files", "this user may have " + hard + " open files")
                        : Finding.warning(
                                "open files",
                                "this user may have " + hard + " open files only; allow the broker " + ENOUGH_OPEN_FILES
                                        + " or more (LimitNOFILE in systemd, ulimit -n in a shell)"))
                .findFirst();
    }
}
