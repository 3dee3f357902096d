package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.status.NodeList;
import io.teff.engine.os.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code nodes}: the nodes of the cluster. */
@Command(
    name = "nodes",
    description = "Lists superpeers and peers.",
    footerHeading = "%nExamples:%n",
    footer = {"  nodes", "  nodes --await 4 --timeout 60"},
    sortOptions = false)
final class NodesTask implements Callable<Integer> {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Mixin
    private Show show = new Show();

    @Option(names = "--all", description = "Show also expired nodes without zones and copies.")
    private boolean isAll;

    @Option(names = "--await", paramLabel = "N", description = "Wait until so many peers are alive.")
    private int peers;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "30",
        description = "Longest wait of --await. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Override
    public Integer call() {
        ShellSession session = show.session();
        NodeList nodes = session.nodes();
        long end = Clock.SYSTEM.nowNs() + TaskGroup.ns(seconds);
        while (alive(nodes) < peers) {
            if (Clock.SYSTEM.nowNs() - end > 0 || session.isInterrupted()) {
                throw new CommandFailure(alive(nodes) + " peers are alive, not " + peers);
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
            nodes = session.nodes();
        }
        return show.print(nodes.json(isAll), nodes.text(isAll));
    }

    private static long alive(NodeList nodes) {
        return nodes.cluster().nodes().stream().filter(node -> node.role() == NodeRole.PEER && node.isAlive()).count();
    }
}
