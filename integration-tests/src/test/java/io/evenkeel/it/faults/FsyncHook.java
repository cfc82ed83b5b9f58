/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Called in the broker by the file operations that {@link LeftOutFsync} has rewritten. Thread safe. */
public final class FsyncHook {
    static final String FSYNC = "left.out.force";
    static final String STOP_AFTER = "left.out.stop.after";
    static final String STOP_AT = "left.out.stop.at";

    private static final String PACKAGE = "io.evenkeel.tiered.";
    private static final AtomicInteger steps = new AtomicInteger();

    private FsyncHook() {}

    /** True if the fsync under way must be skipped. */
    public static boolean isLeftOut() {
        return isCalledBy(System.getProperty(FSYNC));
    }

    /** After a rename or deletion: stops the whole process if this is the chosen step. */
    public static void done() throws IOException, InterruptedException {
        if (isCalledBy(System.getProperty(STOP_AFTER)) && steps.incrementAndGet() == Integer.getInteger(STOP_AT)) {
            String pid = String.valueOf(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
        }
    }

    /** The step is known by the method of the tier that called the file operation. */
    private static boolean isCalledBy(String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().startsWith(PACKAGE))
                        .map(frame -> simpleName(frame) + "." + frame.getMethodName())
                        .filter(name -> !name.startsWith("FileOps.")
                                && !name.startsWith("SegmentPath.")
                                && !name.startsWith("NameDurability."))
                        .findFirst())
                .filter(name -> name.equals(method))
                .isPresent();
    }

    private static String simpleName(StackWalker.StackFrame frame) {
        return frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
    }
}
