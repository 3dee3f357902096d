package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code deploy start}. */
@Command(
    name = "start",
    description = {"Starts all ended nodes, superpeers first, and waits until all are ready. A node keeps its version; "
        + "a node that was never started gets this version, which must be installed."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes are ready", "1:a host is not reached, or a node is not ready in time",
        "2:wrong command line or file"},
    sortOptions = false)
final class StartHostsCommand extends HostsCommand {
    @Mixin
    private StageOptions options = new StageOptions();

    @Option(names = "--node", paramLabel = "NODE", split = ",", description = "Start only these nodes.")
    private List<String> names = List.of();

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "120",
        description = "How long to wait until nodes are ready. Default: ${DEFAULT-VALUE}.")
    private int timeoutS = 120;

    @Override
    int run(Fleet fleet) throws IOException {
        List<NodePlan> nodes = nodes(fleet, names);
        try (VersionStage stage = options.stage()) {
            FleetStart.start(fleet, nodes, stage.version(), timeoutS, this::note);
        }
        print(Map.of("ready", nodes.size()), nodes.size() + " nodes are ready");
        return 0;
    }
}
