package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.error.Status;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command whose methods are commands. */
abstract class TaskGroup implements Callable<Integer> {
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Refuses a line without a command of the group. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name one of " + String.join(", ",
            spec.subcommands().keySet()));
    }

    final ShellSession session() {
        return ((Shell) spec.root().userObject()).session();
    }

    final ClusterStore store() {
        return session().store();
    }

    /** Returns a parameter that is wrong. */
    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    static long ns(double seconds) {
        return (long) Math.min(Long.MAX_VALUE, seconds * NS_PER_S);
    }

    /** Returns the result of an operation on a chunk; throws if the result is a status. */
    static long done(long result, String cid) {
        if (Status.isStatus(result)) {
            throw new CommandFailure(switch ((int) result) {
                case Status.ABSENT -> "there is no chunk " + cid;
                case Status.LOCKED -> "chunk " + cid + " is locked by another holder";
                case Status.FULL -> "the memory of the owners is full";
                case Status.READ_ONLY -> "chunk " + cid + " is read-only";
                case Status.NOT_HELD -> "this session has no lock on chunk " + cid;
                default -> "chunk " + cid + ": " + Status.name(result);
            });
        }
        return result;
    }
}
