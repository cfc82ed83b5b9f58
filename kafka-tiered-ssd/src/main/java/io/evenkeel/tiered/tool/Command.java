/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import net.sourceforge.argparse4j.inf.Namespace;

/** One thing that the tool can do. */
interface Command {
    /**
     * Does it.
     *
     * @return the exit code
     * @throws IOException also for what the user got wrong; the message is shown to them
     */
    int run(Namespace options, Output output) throws IOException, InterruptedException;
}
