package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.terminal.deploy.FleetRoll.Outcome;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code deploy roll}. */
@Command(
    name = "roll",
    description = {"Brings all nodes to a version, one node at a time: first the peers, then the superpeers, the "
        + "leading one last. The cluster is used meanwhile. This version is installed before the first node ends.",
        "The next node waits until the cluster is as whole as before. A node that does not come up with the version "
        + "gets back the version of before, and the command ends; all other nodes stay as they are. Nodes that have "
        + "the version are left out."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes have the version",
        "1:a host is not reached, a node was not ready before, or a node does not come up with any version",
        "2:wrong command line or file", "3:zones lack backups after the timeout; the rest of the nodes is not touched",
        "4:a node does not come up with the version, and runs with the version of before"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff deploy roll hosts.toml", "  ./teff deploy roll hosts.toml --version v0123456789ab"},
    sortOptions = false)
final class RollHostsCommand extends HostsCommand {
    private static final int NOT_WHOLE = 3;
    private static final int RETURNED = 4;

    @Mixin
    private StageOptions options = new StageOptions();

    @Option(names = "--version", paramLabel = "NAME",
        description = "An installed version, for instance an older one. Default: this version.")
    private @Nullable String version;

    @Option(names = "--node", paramLabel = "NODE", split = ",", description = "Roll only these nodes.")
    private List<String> names = List.of();

    @Option(names = "--restart", description = "Restart also nodes that have the version.")
    private boolean isRestart;

    @Option(names = "--wait-backed", negatable = true, defaultValue = "true", fallbackValue = "true",
        description = "Wait for the backups of all zones between two nodes. This is the default; with "
            + "--no-wait-backed it is enough that all zones are served.")
    private boolean isBacked = true;

    @Option(names = "--ready", paramLabel = "SECONDS", defaultValue = "60",
        description = "How long a node may take until it is ready. Default: ${DEFAULT-VALUE}.")
    private int readyS = 60;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "300",
        description = "How long to wait for backups after each node. Default: ${DEFAULT-VALUE}.")
    private int timeoutS = 300;

    @Override
    int run(Fleet fleet) throws IOException {
        String wanted = version;
        if (wanted == null) {
            try (VersionStage stage = options.stage()) {
                wanted = stage.version();
                fleet.install(stage);
            }
        } else {
            fleet.requireVersion(wanted);
        }
        String to = wanted;
        Map<String, NodeState> states = fleet.states();
        List<NodePlan> nodes = nodes(fleet, names).stream().filter(node -> {
            NodeState state = states.get(node.name());
            return isRestart || state == null || !state.version().equals(to);
        }).toList();
        List<FleetRoll.Row> rows;
        try (ClusterAdmin admin = connect(fleet.deployment())) {
            rows = new FleetRoll(fleet, admin, new FleetRoll.Settings(to, isBacked, readyS, timeoutS), this::note)
                .run(nodes);
        }
        print(document(to, nodes.size(), rows), "rolled " + rows.stream().filter(row -> row.outcome()
            == Outcome.ROLLED).count() + " of " + nodes.size() + " nodes to " + to);
        Outcome last = rows.isEmpty() ? Outcome.ROLLED : rows.getLast().outcome();
        return switch (last) {
            case ROLLED -> 0;
            case NOT_WHOLE -> NOT_WHOLE;
            case RETURNED -> RETURNED;
            case DOWN -> 1;
        };
    }

    private static ClusterAdmin connect(Deployment deployment) throws IOException {
        try {
            return deployment.nodes().getFirst().settings(deployment.file().toString()).connect();
        } catch (ConfigException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    private static Map<String, Object> document(String version, int nodes, List<FleetRoll.Row> rows) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (FleetRoll.Row row : rows) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("node", row.node());
            each.put("from", row.from());
            each.put("outcome", row.outcome().text());
            each.put("seconds", Math.round(row.seconds() * 10) / 10.0);
            each.put("text", row.text());
            list.add(each);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", version);
        document.put("nodes", nodes);
        document.put("rows", list);
        return document;
    }
}
