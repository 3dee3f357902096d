package io.teff.cluster.terminal.local;

import io.teff.engine.os.Clock;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command for the cluster in a folder. Results go to standard output, everything else to standard error. */
public abstract class LocalCommand implements Callable<Integer> {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @Mixin
    private FolderOption folder = new FolderOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** For subclasses. */
    protected LocalCommand() {}

    /** {@return the option that names the folder} */
    protected final FolderOption folder() {
        return folder;
    }

    /** {@return the command} */
    protected final CommandSpec spec() {
        return spec;
    }

    /** {@return standard output} */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /**
     * Prints a result.
     *
     * @param line text without a line feed
     */
    protected final void print(String line) {
        out().println(line);
        out().flush();
    }

    /**
     * Prints a line to standard error.
     *
     * @param line text without a line feed
     */
    protected final void note(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    /**
     * Waits for a condition.
     *
     * @param condition looked at each 5 ms
     * @param patienceNs longest time
     * @return whether the condition holds
     */
    static boolean await(BooleanSupplier condition, long patienceNs) {
        long end = Clock.SYSTEM.nowNs() + patienceNs;
        while (!condition.getAsBoolean()) {
            if (Clock.SYSTEM.nowNs() - end > 0) {
                return false;
            }
            Clock.SYSTEM.pause(condition, POLL_NS);
        }
        return true;
    }
}
