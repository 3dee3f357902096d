package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The start and the end of the nodes of a deployment. */
final class FleetStart {
    private FleetStart() {}

    /**
     * Starts ended nodes, superpeers first, and waits until all are ready. A node without a version gets a version.
     *
     * @param version version of nodes that were never started
     * @param seconds longest time for the superpeers, and for the peers
     */
    static void start(Fleet fleet, List<NodePlan> nodes, String version, int seconds, Consumer<String> progress) {
        Map<String, NodeState> states = fleet.states();
        Map<String, String> wrong = new TreeMap<>();
        for (boolean isSuperpeer : List.of(true, false)) {
            List<NodePlan> group = nodes.stream().filter(node -> node.isSuperpeer() == isSuperpeer).toList();
            for (NodePlan node : group) {
                NodeState state = states.get(node.name());
                if (state == null || state.version().isEmpty()) {
                    fleet.link(node, version);
                }
                fleet.start(node);
            }
            wrong.putAll(fleet.awaitReady(group, seconds));
            group.stream().filter(node -> !wrong.containsKey(node.name())).forEach(node ->
                progress.accept(node.name() + " is ready at " + node.address()));
            if (!wrong.isEmpty()) {
                throw new CommandFailure(wrong.entrySet().stream().map(it -> it.getKey() + " " + it.getValue())
                    .collect(Collectors.joining("\n")) + "\n  more: ./teff deploy logs "
                    + fleet.deployment().file());
            }
        }
    }

    /** Ends nodes, superpeers first: so no peer hands its zones on to peers that are about to end. */
    static void stop(Fleet fleet, List<NodePlan> nodes) {
        for (boolean isSuperpeer : List.of(true, false)) {
            fleet.stop(nodes.stream().filter(node -> node.isSuperpeer() == isSuperpeer).toList());
        }
    }
}
