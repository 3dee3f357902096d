package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.option.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code exit}: ends the shell. */
@Command(name = "exit", aliases = "quit", description = "Ends the shell, and frees what it holds.", sortOptions = false)
final class ExitTask implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        ((Shell) spec.root().userObject()).session().end();
        return 0;
    }
}
