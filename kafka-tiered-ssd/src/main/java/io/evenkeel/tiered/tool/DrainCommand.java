/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.MutuallyExclusiveGroup;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;

/** {@code drain}: moves all segments off the SSDs. Stateless. */
final class DrainCommand implements Command {
    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "drain",
                "move all segments off the SSD",
                "Moves every segment to the HDD until no link is left and the SSD directories are empty. Then you can"
                        + " switch the tier off and remove the SSD. On a running broker, the command sets"
                        + " tiered.ssd.mode=drain for this broker and shows the progress; Ctrl-C does not stop the"
                        + " drain, --cancel does. On a stopped broker, the command moves the segments itself, under"
                        + " the broker's locks; you can interrupt it and run it again.",
                new DrainCommand());
        MutuallyExclusiveGroup which =
                parser.addMutuallyExclusiveGroup("which broker").required(true);
        which.addArgument("--offline").action(Arguments.storeTrue()).help("the broker is stopped");
        which.addArgument("--bootstrap-server").metavar("HOST:PORT").help("the broker is running, in this cluster");
        parser.addArgument("--command-config").metavar("FILE").help("client properties, as for Kafka's own tools");
        parser.addArgument("--cancel")
                .action(Arguments.storeTrue())
                .help("with --bootstrap-server: cancel the drain by deleting tiered.ssd.mode for this broker");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        boolean cancel = options.getBoolean("cancel");
        if (options.getBoolean("offline")) {
            if (cancel) {
                throw new IllegalArgumentException("--cancel is for a running broker; use it with --bootstrap-server");
            }
            return new StoppedDrain(disks, output).run();
        }
        try (TierSwitch tierSwitch =
                TierSwitch.connect(disks, options.getString("bootstrap_server"), options.getString("command_config"))) {
            if (cancel) {
                tierSwitch.cancelDrain();
                output.line("The drain of node " + disks.nodeId() + " is cancelled. Its mode is again that of its"
                        + " server.properties or of the cluster's default.");
                return CommandLine.OK;
            }
            tierSwitch.drain();
            return new RunningDrain(disks, tierSwitch, output).run();
        }
    }
}
