/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.MutuallyExclusiveGroup;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;

/** {@code drain}: everything off the SSDs. Stateless. */
final class DrainCommand implements Command {
    static void define(Subparsers commands) {
        Subparser parser = CommandLine.define(
                commands,
                "drain",
                "take everything off the SSD",
                "Moves every segment to the HDD, until no link is left and the SSD directories are empty; then the tier"
                        + " can be switched off and the SSD can go. Of a broker that runs: sets tiered.ssd.mode=drain for it"
                        + " and shows how far it is; Ctrl-C does not stop the drain, --cancel does. Of a broker that is"
                        + " stopped: does the work itself, under the broker's locks; it may be interrupted and begun anew.",
                new DrainCommand());
        MutuallyExclusiveGroup which =
                parser.addMutuallyExclusiveGroup("which broker").required(true);
        which.addArgument("--offline").action(Arguments.storeTrue()).help("the broker is stopped");
        which.addArgument("--bootstrap-server").metavar("HOST:PORT").help("the broker runs, and this is its cluster");
        parser.addArgument("--command-config")
                .metavar("FILE")
                .help("properties for the connection, as for Kafka's own tools");
        parser.addArgument("--cancel")
                .action(Arguments.storeTrue())
                .help("with --bootstrap-server: end the drain, by deleting tiered.ssd.mode for this broker");
    }

    @Override
    public int run(Namespace options, Output output) throws IOException, InterruptedException {
        BrokerDisks disks = CommandLine.disks(options);
        boolean cancel = options.getBoolean("cancel");
        if (options.getBoolean("offline")) {
            if (cancel) {
                throw new IllegalArgumentException("--cancel is for a running broker: give --bootstrap-server with it");
            }
            return new StoppedDrain(disks, output).run();
        }
        try (TierSwitch tierSwitch =
                TierSwitch.connect(disks, options.getString("bootstrap_server"), options.getString("command_config"))) {
            if (cancel) {
                tierSwitch.cancelDrain();
                output.line("The drain of node " + disks.nodeId() + " is cancelled: its mode is what its"
                        + " server.properties and the cluster's default say.");
                return CommandLine.OK;
            }
            tierSwitch.drain();
            return new RunningDrain(disks, output).run();
        }
    }
}
