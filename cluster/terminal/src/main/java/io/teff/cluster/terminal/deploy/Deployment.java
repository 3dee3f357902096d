package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import java.nio.file.Path;
import java.util.List;

/**
 * A description of hosts and their nodes, checked.
 *
 * @param file file of the description
 * @param manager what starts processes
 * @param hosts all hosts
 * @param nodes all nodes, superpeers first, in the order of the hosts
 */
record Deployment(Path file, Manager manager, List<HostPlan> hosts, List<NodePlan> nodes) {
    Deployment {
        hosts = List.copyOf(hosts);
        nodes = List.copyOf(nodes);
    }

    /** Returns the nodes of a host. */
    List<NodePlan> nodes(HostPlan host) {
        return nodes.stream().filter(node -> node.host().equals(host)).toList();
    }

    /** Returns the addresses of all superpeers. */
    List<String> superpeers() {
        return nodes.stream().filter(NodePlan::isSuperpeer).map(NodePlan::address).toList();
    }

    /** Returns the node with a name. */
    NodePlan node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow(() ->
            new CommandFailure("there is no node " + name + "; the nodes are "
                + String.join(", ", nodes.stream().map(NodePlan::name).toList())));
    }
}
