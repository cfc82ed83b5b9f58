/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.suites.Outcome.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Writes each test's outcome at once, so that a JVM that dies leaves the outcomes so far. Thread safe. */
final class OutcomeListener implements TestExecutionListener {
    private final Writer file;

    OutcomeListener(Writer file) {
        this.file = file;
    }

    /** Containers count only when they fail: then their tests have not been run. */
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String reason = result.getThrowable().map(OutcomeListener::firstLine).orElse("");
        Status status = switch (result.getStatus()) {
            case SUCCESSFUL -> Status.PASSED;
            case ABORTED -> Status.SKIPPED;
            case FAILED -> Status.FAILED;
        };
        if (test.isTest() || status != Status.PASSED) {
            write(test, new Outcome(status, reason));
        }
        if (status == Status.FAILED) {
            System.out.println("FAILED " + name(test));
            result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, new Outcome(Status.SKIPPED, reason));
    }

    private static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }

    private synchronized void write(TestIdentifier test, Outcome outcome) {
        try {
            file.write(outcome.line(name(test)));
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Class, method, and which invocation of it. */
    static String name(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().stream()
                .skip(1)
                .map(UniqueId.Segment::getValue)
                .collect(Collectors.joining(" "));
    }
}
