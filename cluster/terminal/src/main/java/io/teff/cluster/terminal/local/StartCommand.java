package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The command {@code cluster start}: lets the supervisor start an ended node. */
@Command(
    name = "start",
    description = {"Starts a node that has ended, and waits until it is ready. Superpeers without a majority "
            + "are not waited for.",
        "A peer comes back with the same NID and a new life, without the zones it had. A superpeer comes back "
            + "with its log, and follows; one whose data is lost gets it from the others. If those of most "
            + "superpeers are lost, it is not started beside peers with logs."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the node is ready, or a superpeer waits for others or for room on its disk",
        "1:there is no such node, it runs, or it cannot start", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster start peer-1",
    sortOptions = false)
public final class StartCommand extends OneNodeCommand {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    @Override
    String run(ClusterFolder cluster, LocalNode node) {
        if (node.process() != null) {
            throw new CommandFailure(node.name() + " runs already: " + node.process()
                + "\n  if the node is silent: ./teff cluster kill " + node.name());
        }
        if (node.isSuperpeer()) {
            checkMetadata(cluster);
        }
        if (cluster.supervisor() == null) {
            throw new CommandFailure("the cluster of folder " + folder().path() + " has no supervisor that could start "
                + node.name() + "\n  if other nodes run, this starts one: ./teff cluster up" + folder().text());
        }
        Started before = node.started();
        ProcessId old = before == null ? null : before.id();
        try {
            cluster.requestStart(node);
        } catch (IOException e) {
            throw new CommandFailure("the start of " + node.name() + " cannot be asked for: " + FailureText.of(e), e);
        }
        if (!await(() -> !Objects.equals(idOf(node), old), PATIENCE_NS)) {
            throw new CommandFailure("the supervisor does not start " + node.name()
                + "\n  its log: ./teff cluster logs supervisor" + folder().text());
        }
        int superpeers = MetadataCheck.superpeers(cluster).size();
        List<LocalNode> down = cluster.nodes().stream()
            .filter(other -> other.isSuperpeer() && other.process() == null).toList();
        int missing = superpeers / 2 + 1 - (superpeers - down.size());
        if (node.isSuperpeer() && missing > 0) {
            return "started " + node.name() + ", which waits for " + missing + " more of the " + superpeers
                + " superpeers\n  start another: ./teff cluster start " + down.getFirst().name() + folder().text();
        }
        if (!new Readiness(cluster, _ -> { }, null).awaitUnlessFull(node)) {
            return "started " + node.name() + ", " + node.process() + "; its disk is full, so it waits for room";
        }
        return "started " + node.name() + ", " + node.process();
    }

    /** Superpeers without disks would found an empty cell when all superpeers run. */
    private void checkMetadata(ClusterFolder cluster) {
        try {
            MetadataCheck.check(cluster, folder());
        } catch (IOException e) {
            throw new CommandFailure("the folder " + cluster.path() + " cannot be used: " + FailureText.of(e), e);
        }
    }

    private static @Nullable ProcessId idOf(LocalNode node) {
        Started started = node.started();
        return started == null ? null : started.id();
    }
}
