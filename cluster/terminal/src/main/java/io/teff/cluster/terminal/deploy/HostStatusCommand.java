package io.teff.cluster.terminal.deploy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code deploy status}. */
@Command(
    name = "status",
    description = {"Prints each node with its host, process and version. ./teff cluster status --superpeers tells of "
        + "zones."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes are ready", "1:a host is not reached", "2:wrong command line or file",
        "3:a node is not ready"},
    sortOptions = false)
final class HostStatusCommand extends HostsCommand {
    private static final int NOT_READY = 3;

    @Override
    int run(Fleet fleet) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        boolean isReady = true;
        Map<String, NodeState> states = fleet.states();
        for (NodePlan node : fleet.deployment().nodes()) {
            NodeState state = states.getOrDefault(node.name(), new NodeState(node.name(), false, "", "", null));
            String text = state.life() != null ? "ready" : state.isRunning() ? "starting" : "ended";
            isReady &= state.life() != null;
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("node", node.name());
            row.put("host", node.host().name());
            row.put("address", node.address());
            row.put("state", text);
            row.put("pid", state.pid());
            row.put("version", state.version());
            rows.add(row);
            lines.add(String.format("%-20s %-9s %-14s process %-8s %s", node.name(), text, state.version().isEmpty()
                ? "no version" : state.version(), state.pid().isEmpty() ? "-" : state.pid(), node.address()));
        }
        print(Map.of("nodes", rows), String.join("\n", lines));
        return isReady ? 0 : NOT_READY;
    }
}
