package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code deploy remove}. */
@Command(
    name = "remove",
    description = {"Removes versions, configurations and units from the hosts. Data and logs stay unless --data is "
        + "given. Nodes must have ended before."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:removed", "1:a host is not reached, a node runs, or --yes is missing",
        "2:wrong command line or file"},
    sortOptions = false)
final class RemoveHostsCommand extends HostsCommand {
    @Option(names = "--data", description = "Delete data and logs, too: all chunks of the cluster.")
    private boolean withData;

    @Option(names = "--yes", description = "Remove. Without this option the command only says what it would do.")
    private boolean isConfirmed;

    @Override
    int run(Fleet fleet) throws IOException {
        if (!isConfirmed) {
            throw new CommandFailure("would remove " + fleet.deployment().nodes().size() + " nodes from "
                + fleet.deployment().hosts().size() + " hosts, " + (withData ? "with all data" : "and keep their data")
                + "\n  to do so: add --yes");
        }
        List<String> lines = fleet.remove(withData);
        print(Map.of("lines", lines), String.join("\n", lines));
        return 0;
    }
}
