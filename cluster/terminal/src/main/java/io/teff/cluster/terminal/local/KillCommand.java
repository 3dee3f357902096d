package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code cluster kill}: ends the process of a node by SIGKILL. */
@Command(
    name = "kill",
    description = {"Kills the process of a node, as kill -9 does.",
        "Its supervisor reports the end to the superpeers, and other peers restore its zones."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the process has ended", "1:there is no such node, or it does not run", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster kill peer-1",
    sortOptions = false)
public final class KillCommand implements Callable<Integer> {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @Mixin
    private FolderOption folder = new FolderOption();

    @Parameters(paramLabel = "NODE", description = "The node, such as peer-1.")
    private String name = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        LocalNode node = folder.open().node(name);
        ProcessId process = node.process();
        if (process == null) {
            throw new CommandFailure(name + " does not run");
        }
        process.handle().ifPresent(ProcessHandle::destroyForcibly);
        long end = Clock.SYSTEM.nowNs() + PATIENCE_NS;
        while (process.isAlive()) {
            if (Clock.SYSTEM.nowNs() - end > 0) {
                throw new CommandFailure(name + ", " + process + ", does not end");
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("killed " + name + ", " + process);
        out.flush();
        return 0;
    }
}
