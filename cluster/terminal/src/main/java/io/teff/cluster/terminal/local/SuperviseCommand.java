package io.teff.cluster.terminal.local;

import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.ProcessSession;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The command {@code cluster supervise}, the process behind {@code cluster up}. The supervisor and all nodes have a
 * session and a process group of their own, so signals to the group of {@code up} do not reach the cluster.
 */
@Command(name = "supervise", hidden = true, description = "Supervises the nodes of a cluster until the process ends.")
public final class SuperviseCommand implements Callable<Integer> {
    @Mixin
    private FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws InterruptedException {
        var _ = ProcessSession.begin();                         // else Ctrl-C of the terminal would end the cluster
        try {
            Supervisor.run(folder.open(), false);
            return 0;
        } catch (LockedException e) {
            throw new CommandFailure("another supervisor is there: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw new CommandFailure("the supervisor has failed: " + FailureText.of(e), e);
        }
    }
}
