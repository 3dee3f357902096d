package io.teff.test.bench.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Parts shared by commands: refusing wrong options, the folder for results, lines of progress. */
public final class CommandSupport {
    private CommandSupport() {}

    /**
     * Refuses a command line unless a condition holds.
     *
     * @param spec the command
     * @param good the condition
     * @param message the error, if it does not hold
     */
    public static void check(CommandSpec spec, boolean good, String message) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /**
     * Creates the folder for results.
     *
     * @param spec the command
     * @param out value of its option {@code --out}
     */
    public static void makeFolder(CommandSpec spec, Path out) {
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--out=" + out + " is no folder and cannot be made", e);
        }
    }

    /**
     * Prints the progress of a command.
     *
     * @param spec the command
     * @param format as of {@link String#format}
     * @param arguments of the format
     */
    public static void progress(CommandSpec spec, String format, Object... arguments) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(Locale.ROOT, format, arguments);
        err.flush();
    }
}
