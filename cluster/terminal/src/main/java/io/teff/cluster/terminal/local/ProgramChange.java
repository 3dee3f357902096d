package io.teff.cluster.terminal.local;

import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The change of the program of a cluster on this machine. A supervisor starts nodes with its own program. The change
 * kills the supervisor, as a crash of the supervisor does, and starts a supervisor with the other program, which takes
 * the running nodes over. So no node ends by the change; a node has the other program after its next start.
 */
final class ProgramChange {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final ClusterFolder cluster;
    private final Program wanted;
    private final @Nullable Program before;

    private ProgramChange(ClusterFolder cluster, Program wanted, @Nullable Program before) {
        this.cluster = cluster;
        this.wanted = wanted;
        this.before = before;
    }

    /**
     * Gives the cluster a supervisor with a program.
     *
     * @param reports receives a line about the change
     * @return the change, or null if the supervisor has this program
     */
    static @Nullable ProgramChange begin(ClusterFolder cluster, Program wanted, Consumer<String> reports)
            throws IOException {
        Program before = cluster.program();
        if (wanted.equals(before)) {
            return null;
        }
        if (cluster.isForeground()) {
            throw new CommandFailure("the nodes are part of ./teff cluster up --foreground, which has another program"
                + "\n  end that command, and start the cluster with the new program");
        }
        try {
            replace(cluster, wanted);
        } catch (CommandFailure e) {
            if (cluster.supervisor() == null) {
                (before == null ? Program.current() : before).supervise(cluster, PATIENCE_NS);
            }
            throw e;
        }
        reports.accept("  supervisor   has the new program");
        return new ProgramChange(cluster, wanted, before);
    }

    private static void replace(ClusterFolder cluster, Program program) {
        ProcessId old = cluster.supervisor();
        if (old != null) {
            old.handle().ifPresent(ProcessHandle::destroyForcibly); // SIGTERM would end all nodes
            if (!LocalCommand.await(() -> !old.isAlive(), PATIENCE_NS)) {
                throw new CommandFailure("the supervisor, " + old + ", does not end");
            }
        }
        program.supervise(cluster, PATIENCE_NS);
    }

    /**
     * Starts a node again with the program of before, because the node does not come up with the new program.
     *
     * @param why the failure with the new program
     * @return what has happened, for people
     */
    String takeBack(LocalNode node, CommandFailure why) throws IOException {
        String text = node.name() + " does not come up with the program " + wanted.classPath() + ":\n"
            + FailureText.of(why);
        if (before == null) {
            throw new CommandFailure(text + "\n  the program of before is not known; name it: ./teff cluster roll "
                + "--only " + node.name() + " --program CLASS_PATH", why);
        }
        ProcessId process = node.process();
        if (process != null) {
            process.handle().ifPresent(ProcessHandle::destroyForcibly);
            LocalCommand.await(() -> !process.isAlive(), PATIENCE_NS);
        }
        replace(cluster, before);
        cluster.requestStart(node);
        LocalCommand.await(() -> node.process() != null, PATIENCE_NS);
        new Readiness(cluster, _ -> { }, null).await(List.of(node));
        return text + "\n  the node runs with the program of before again, and no other node was touched";
    }
}
