package io.teff.tools.cli;

import io.teff.tools.demo.DemoCommand;
import io.teff.tools.graph.GraphCommand;
import io.teff.tools.heap.HeapCommand;
import io.teff.tools.log.BackupCommand;
import io.teff.tools.log.LogCommand;
import io.teff.tools.soak.SoakCommand;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: holds the subcommands, and answers {@code --help} and {@code --version}. */
@Command(
        name = "./teff",
        description = "An embeddable off-heap store for billions of tiny objects.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes of all commands:%n",
        exitCodeList = {"0:success", "1:the work failed", "2:wrong command line"},
        footerHeading = "%nExample:%n",
        footer = "  ./teff demo --count=1000000",
        versionProvider = TeffVersion.class,
        subcommands = {BackupCommand.class, DemoCommand.class, GraphCommand.class, HeapCommand.class, LogCommand.class,
            SoakCommand.class})
public final class Teff implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs one command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Returns a new command line; tests execute it in their own JVM. */
    public static CommandLine commandLine() {
        return new CommandLine(new Teff()).setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, arguments) -> explain(wrong));
    }

    /** Prints what is wrong with a command line, in a few lines instead of the whole usage; returns the exit code. */
    private static int explain(ParameterException wrong) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        PrintWriter err = wrong.getCommandLine().getErr();
        String message = wrong instanceof UnmatchedArgumentException unmatched
                ? "unknown argument " + String.join(" ", unmatched.getUnmatched()) : wrong.getMessage();
        err.println(command.qualifiedName() + ": " + message);
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Try '" + command.qualifiedName() + " --help'.");
        err.flush();
        return command.exitCodeOnInvalidInput();
    }

    /** Refuses a command line that names no subcommand. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name a command, or use --help");
    }
}
