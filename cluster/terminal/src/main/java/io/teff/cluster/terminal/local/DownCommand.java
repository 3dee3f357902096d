package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.node.LogFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code cluster down}: ends all nodes and the supervisor. */
@Command(
    name = "down",
    description = {"Ends all nodes of a cluster and its supervisor. The folder stays.",
        "This version cannot start the cluster again with its chunks."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing of the cluster runs", "1:there is no cluster, or something does not end",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster down",
    sortOptions = false)
public final class DownCommand implements Callable<Integer> {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(40);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @Mixin
    private FolderOption folder = new FolderOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        ClusterFolder cluster = folder.open();
        long running = cluster.nodes().stream().filter(node -> node.process() != null).count();
        ProcessId supervisor = cluster.supervisor();
        endSupervisor(supervisor);
        try (LogFile log = new LogFile(cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG), Clock.SYSTEM)) {
            Supervisor.endAll(cluster, log);                    // what a supervisor that was killed has left
        } catch (IOException e) {
            throw new CommandFailure("the nodes cannot be ended: " + FailureText.of(e), e);
        }
        List<String> left = cluster.nodes().stream().filter(node -> node.process() != null)
            .map(node -> node.name() + ", " + node.process()).toList();
        if (!left.isEmpty()) {
            throw new CommandFailure("these do not end: " + String.join("; ", left));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(running == 0 && supervisor == null ? "nothing of the cluster was running"
            : "ended " + running + " nodes" + (supervisor == null ? ", which had no supervisor" : ""));
        out.flush();
        return 0;
    }

    private void endSupervisor(@Nullable ProcessId supervisor) {
        if (supervisor == null) {
            return;
        }
        supervisor.handle().ifPresent(ProcessHandle::destroy);
        long end = Clock.SYSTEM.nowNs() + PATIENCE_NS;
        while (supervisor.isAlive()) {
            if (Clock.SYSTEM.nowNs() - end > 0) {
                supervisor.handle().ifPresent(ProcessHandle::destroyForcibly);
                return;
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
    }
}
