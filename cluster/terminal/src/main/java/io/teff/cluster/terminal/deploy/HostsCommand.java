package io.teff.cluster.terminal.deploy;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command for the hosts of a file. Results go to standard output, progress to standard error. */
abstract class HostsCommand implements Callable<Integer> {
    private static final int WRONG_USE = 2;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Parameters(index = "0", paramLabel = "HOSTS", description = "The file of the hosts, in TOML.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() {
        try {
            if (file == null) {
                throw new AssertionError("picocli requires the file");
            }
            return run(new Fleet(HostsFile.load(file), HostShell.SSH, this::note));
        } catch (ConfigException e) {
            e.faults().forEach(this::note);
            return WRONG_USE;
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    /** Does the work; returns the exit code. */
    abstract int run(Fleet fleet) throws IOException;

    /** Returns nodes by their names; all nodes without names. */
    static List<NodePlan> nodes(Fleet fleet, List<String> names) {
        return names.isEmpty() ? fleet.deployment().nodes() : names.stream().map(fleet.deployment()::node).toList();
    }

    final boolean isJson() {
        return isJson;
    }

    /** Prints a result: a document, or a line for people. */
    final void print(Map<String, ?> document, String line) throws IOException {
        print(isJson ? JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES)
            .asString(document) : line);
    }

    /** Prints a line to standard output. */
    final void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    /** Prints a line to standard error. Called by several threads. */
    final synchronized void note(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
