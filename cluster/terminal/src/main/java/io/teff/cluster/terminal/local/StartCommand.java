package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code cluster start}: lets the supervisor start a node that has ended. */
@Command(
    name = "start",
    description = {"Starts a node that has ended, and waits until it is ready.",
        "It comes back with the same NID and a new incarnation, without the zones it had."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the node is ready", "1:there is no such node, it runs, or it cannot start",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster start peer-1",
    sortOptions = false)
public final class StartCommand implements Callable<Integer> {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    @Mixin
    private FolderOption folder = new FolderOption();

    @Parameters(paramLabel = "NODE", description = "The node, such as peer-1.")
    private String name = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        ClusterFolder cluster = folder.open();
        LocalNode node = cluster.node(name);
        if (node.process() != null) {
            throw new CommandFailure(name + " runs already: " + node.process());
        }
        if (cluster.supervisor() == null) {
            throw new CommandFailure("the cluster of folder " + folder.path() + " has no supervisor that could start "
                + name + "\n  if other nodes run, this starts one: teff cluster up" + folder.text());
        }
        start(cluster, node);
        PrintWriter out = spec.commandLine().getOut();
        out.println("started " + name + ", " + node.process());
        out.flush();
        return 0;
    }

    /** Starts a node, and waits until it is ready. */
    static void start(ClusterFolder cluster, LocalNode node) {
        Started before = node.started();
        ProcessId old = before == null ? null : before.id();
        try {
            cluster.requestStart(node);
        } catch (IOException e) {
            throw new CommandFailure("the start of " + node.name() + " cannot be asked for: " + FailureText.of(e), e);
        }
        long end = Clock.SYSTEM.nowNs() + PATIENCE_NS;
        while (Objects.equals(idOf(node), old)) {
            if (Clock.SYSTEM.nowNs() - end > 0) {
                throw new CommandFailure("the supervisor does not start " + node.name() + "; see teff cluster logs "
                    + "supervisor");
            }
            Clock.SYSTEM.pause(node, POLL_NS);
        }
        new Readiness(cluster, _ -> {}, null).await(List.of(node));
    }

    private static @Nullable ProcessId idOf(LocalNode node) {
        Started started = node.started();
        return started == null ? null : started.id();
    }
}
