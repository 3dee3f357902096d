package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.Nearest;
import io.teff.cluster.terminal.status.NodeList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code node}: all figures of a node. */
@Command(
    name = "node",
    description = "Shows a node with its statistics: ring, shipping, logging, recoveries.",
    footerHeading = "%nExamples:%n",
    footer = {"  node peer-1", "  node 17 --zones"},
    sortOptions = false)
final class NodeTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Option(names = "--zones", description = "List also the zones and copies of the node.")
    private boolean withZones;

    @Parameters(paramLabel = "NODE", description = "The node by its name, such as peer-1, or by its NID.")
    private String name = "";

    @Override
    public Integer call() {
        NodeList nodes = show.session().nodes();
        Map<String, @Nullable Object> found = nodes.json(name);
        if (found == null) {
            String near = Nearest.of(name, nodes.names());
            throw new CommandFailure("there is no node " + name + "; " + (near == null ? "the nodes are "
                + String.join(", ", nodes.names()) : "is it " + near + "?"));
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>(found);
        NodeStatus status = nodes.status(name);
        if (status != null) {
            json.put("standing", Json.plain(status.standing()));
            NodeStatus.PeerFigures peer = status.peer();
            if (peer != null) {
                json.put("ring", Json.plain(peer.ring()));
                json.put("shipping", Json.plain(peer.shipping()));
                json.put("logging", Json.plain(peer.logging()));
                json.put("recoveries", Json.plain(peer.recoveries()));
                if (withZones) {
                    json.put("zones", Json.plain(peer.zones()));
                    json.put("copies", Json.plain(peer.copies()));
                }
            }
        }
        return show.print(json, Json.lines(json));
    }
}
