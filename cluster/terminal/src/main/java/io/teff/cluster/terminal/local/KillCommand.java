package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.node.ProcessId;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/** The command {@code cluster kill}: ends the process of a node by SIGKILL. */
@Command(
    name = "kill",
    description = {"Kills the process of a node, as kill -9 does.",
        "Its supervisor reports the end to the superpeers, and other peers restore its zones."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the process has ended", "1:there is no such node, or it does not run", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster kill peer-1",
    sortOptions = false)
public final class KillCommand extends OneNodeCommand {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    @Override
    String run(ClusterFolder cluster, LocalNode node) {
        ProcessId process = node.process();
        if (process == null) {
            throw new CommandFailure(node.name() + " does not run\n  start it: ./teff cluster start " + node.name()
                + folder().text());
        }
        process.handle().ifPresent(ProcessHandle::destroyForcibly);
        if (!await(() -> !process.isAlive(), PATIENCE_NS)) {
            throw new CommandFailure(node.name() + ", " + process + ", does not end");
        }
        return "killed " + node.name() + ", " + process;
    }
}
