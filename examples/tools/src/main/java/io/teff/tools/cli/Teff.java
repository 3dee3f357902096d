package io.teff.tools.cli;

import io.teff.tools.demo.DemoCommand;
import io.teff.tools.heap.HeapCommand;
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
        name = "teff",
        description = "An embeddable off-heap store for billions of tiny objects.",
        mixinStandardHelpOptions = true,
        versionProvider = TeffVersion.class,
        subcommands = {DemoCommand.class, HeapCommand.class, LogCommand.class, SoakCommand.class})
public final class Teff implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs one command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** A fresh command line; tests run it in their own JVM. */
    public static CommandLine commandLine() {
        return new CommandLine(new Teff()).setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, arguments) -> explain(wrong));
    }

    /** What is wrong with a command line, in a line or two instead of the whole usage. */
    private static int explain(ParameterException wrong) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        PrintWriter err = wrong.getCommandLine().getErr();
        String message = wrong instanceof UnmatchedArgumentException unmatched
                ? "do not know what to do with " + String.join(" ", unmatched.getUnmatched()) : wrong.getMessage();
        err.println(command.qualifiedName() + ": " + message);
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Try '" + command.qualifiedName() + " --help'.");
        err.flush();
        return command.exitCodeOnInvalidInput();
    }

    /** Reached only when no subcommand was named: a wrong command line, answered with an explanation. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name a command, or use --help");
    }
}
