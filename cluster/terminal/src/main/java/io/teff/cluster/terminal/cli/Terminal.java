package io.teff.cluster.terminal.cli;

import io.teff.cluster.terminal.console.NodeConsole;
import io.teff.cluster.terminal.deploy.DeployCommand;
import io.teff.cluster.terminal.node.NodeCommand;
import io.teff.cluster.terminal.shell.ExecCommand;
import io.teff.cluster.terminal.shell.ShellCommand;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command, the parent of all commands. */
@Command(name = "./teff", description = "Nodes and clusters of Teff.", mixinStandardHelpOptions = true)
public final class Terminal implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Terminal() {}

    /**
     * Runs a command line and ends the JVM with the exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** {@return a new command line; tests execute the command line in their own JVM} */
    public static CommandLine commandLine() {
        return new CommandLine(new Terminal()).addSubcommand(NodeCommand.commandLine(new NodeConsole()))
            .addSubcommand(new CommandLine(new ClusterCommand()).addSubcommand(ExecCommand.commandLine()))
            .addSubcommand(new CommandLine(new ShellCommand()))
            .addSubcommand(new CommandLine(new DeployCommand())).setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((wrong, _) -> explain(wrong))
            .setExecutionExceptionHandler((failure, line, _) -> ClusterCommand.explain(failure, line));
    }

    /** Prints the fault of a command line, in a few lines instead of the whole usage; returns the exit code. */
    private static int explain(ParameterException wrong) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        PrintWriter err = wrong.getCommandLine().getErr();
        String message = wrong instanceof UnmatchedArgumentException unmatched
            ? "unknown argument " + String.join(" ", unmatched.getUnmatched()) : wrong.getLocalizedMessage();
        err.println(command.qualifiedName() + ": " + message);
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Try '" + command.qualifiedName() + " --help'.");
        err.flush();
        return command.exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name node, cluster, shell or deploy, or use --help");
    }
}
