package io.teff.cluster.terminal.shell;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.task.ShellSession;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code shell}: commands for a cluster, typed by a person, or from a script. */
@Command(
    name = "shell",
    description = {"Looks into a cluster and changes what is in the cluster: nodes, zones, chunks, collections, names, "
            + "locks.",
        "The command help in the shell lists the commands. Without a terminal, the shell runs the lines of its input."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the shell, or all lines of the script, have ended",
        "1:a command of the script has failed, or there is no cluster; the message names the line",
        "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff shell", "  ./teff shell 10.0.0.1:7400 -c 'nodes; zones --waiting'",
        "  ./teff shell -f script.teff"},
    sortOptions = false)
public final class ShellCommand implements Callable<Integer> {
    private static final String INPUT = "-";

    @Mixin
    private ShellOptions options = new ShellOptions();

    @Option(names = {"-c", "--command"}, paramLabel = "COMMANDS", description = "Run these commands, and end.")
    private @Nullable String commands;

    @Option(names = {"-f", "--file"}, paramLabel = "FILE", description = "Run the lines of a file, and end; - stands "
        + "for the input.")
    private @Nullable String file;

    @Option(names = "--history", paramLabel = "FILE", description = "File of the typed lines. Default: "
        + "~/.teff/shell-history.")
    private @Nullable Path history;

    @Parameters(arity = "0..*", paramLabel = "ADDRESS", description = "Superpeers of a cluster that has no folder on "
        + "this machine, as of --superpeers.")
    private @Nullable List<String> addresses;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public ShellCommand() {}

    @Override
    public Integer call() {
        if (commands != null && file != null) {
            throw new ParameterException(spec.commandLine(), "-c and -f exclude each other");
        }
        try (ShellSession session = new ShellSession(options.place(spec, addresses == null ? List.of() : addresses),
            spec.commandLine().getOut(), spec.commandLine().getErr())) {
            if (commands != null) {
                return new Script(session).line(commands) == 0 ? 0 : 1;
            }
            if (file == null && Terminals.isTerminal()) {
                return Terminals.run(session, history == null ? Terminals.history() : history);
            }
            return file == null || file.equals(INPUT) ? input(session) : script(session, Path.of(file));
        } catch (IOException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    private static int input(ShellSession session) throws IOException {
        return new Script(session).run("input", new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    private static int script(ShellSession session, Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new CommandFailure("the script " + file + (Files.exists(file) ? " cannot be read"
                : " does not exist"));
        }
        try (Reader lines = Files.newBufferedReader(file)) {
            return new Script(session).run(file.toString(), lines);
        }
    }
}
