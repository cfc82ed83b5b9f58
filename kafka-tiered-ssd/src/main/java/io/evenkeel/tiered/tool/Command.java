/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import net.sourceforge.argparse4j.inf.Namespace;

/** A command of the tool. */
interface Command {
    /**
     * Runs the command.
     *
     * @return the exit code
     * @throws IOException also for mistakes of the user; the tool prints the message
     */
    int run(Namespace options, Output output) throws IOException, InterruptedException;
}
