package io.teff.cluster.terminal.local;

import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code cluster supervise}, the process behind {@code cluster up}. */
@Command(name = "supervise", hidden = true, description = "Supervises the nodes of a cluster until the process ends.")
public final class SuperviseCommand implements Callable<Integer> {
    @Mixin
    private FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws InterruptedException {
        try {
            Supervisor.run(folder.open());
            return 0;
        } catch (LockedException e) {
            throw new CommandFailure("another supervisor is there: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw new CommandFailure("the supervisor has failed: " + FailureText.of(e), e);
        }
    }
}
