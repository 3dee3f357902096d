package io.teff.test.bench.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What commands have in common: refusing wrong options, the folder for results, lines of progress. */
public final class CommandSupport {
    private CommandSupport() {}

    /**
     * Refuses a command line.
     *
     * @param spec the command
     * @param good whether it is right
     * @param message what is wrong, if it is not
     */
    public static void check(CommandSpec spec, boolean good, String message) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /**
     * Makes the folder for results.
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
     * Says how far a command is.
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
