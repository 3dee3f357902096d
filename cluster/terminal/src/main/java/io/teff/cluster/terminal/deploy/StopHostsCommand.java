package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code deploy stop}. */
@Command(
    name = "stop",
    description = {"Ends nodes in order: first the superpeers, then the peers. All data stay; ./teff deploy start "
        + "starts the nodes again."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the nodes have ended", "1:a host is not reached, or a node does not end",
        "2:wrong command line or file"},
    sortOptions = false)
final class StopHostsCommand extends HostsCommand {
    @Option(names = "--node", paramLabel = "NODE", split = ",", description = "End only these nodes.")
    private List<String> names = List.of();

    @Override
    int run(Fleet fleet) throws IOException {
        List<NodePlan> nodes = nodes(fleet, names);
        FleetStart.stop(fleet, nodes);
        print(Map.of("ended", nodes.size()), nodes.size() + " nodes have ended");
        return 0;
    }
}
