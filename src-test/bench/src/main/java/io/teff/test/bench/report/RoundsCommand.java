package io.teff.test.bench.report;

import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Parts shared by commands that run sessions in rounds and write the figures to a folder. */
public abstract class RoundsCommand implements Callable<Integer> {
    /** Shown behind those of each command. */
    private static final int LAST = 100;

    @Option(names = "--rounds", order = LAST, paramLabel = "N", defaultValue = "3",
        description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--out", order = LAST + 1, paramLabel = "DIR", defaultValue = "target/bench",
        description = "Folder for the results (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(names = "--json", order = LAST + 2, description = "Print the JSON instead of the table.")
    private boolean json;

    @Option(names = {"-h", "--help"}, order = LAST + 3, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    protected RoundsCommand() {}

    /** A session of one contender. */
    @FunctionalInterface
    protected interface Measurement {
        /**
         * Runs it.
         *
         * @return its outcome
         * @throws IOException if it cannot be started
         * @throws InterruptedException if the thread is interrupted meanwhile
         */
        Outcome run() throws IOException, InterruptedException;
    }

    /** {@return the command} */
    protected final CommandSpec spec() {
        return spec;
    }

    /** {@return the number of rounds} */
    protected final int rounds() {
        return rounds;
    }

    /** {@return the folder for results} */
    protected final Path out() {
        return out;
    }

    /**
     * Refuses the command line unless a condition holds.
     *
     * @param good the condition
     * @param message the error, if it does not hold
     */
    protected final void check(boolean good, String message) {
        CommandSupport.check(spec, good, message);
    }

    /**
     * Refuses a number that is too small.
     *
     * @param option name of the option
     * @param value the given value
     * @param least the minimum
     */
    protected final void checkLeast(String option, int value, int least) {
        check(value >= least, option + '=' + value + " is less than " + least);
    }

    /** Checks the common options, and creates the folder for results. */
    protected final void begin() {
        checkLeast("--rounds", rounds, 1);
        CommandSupport.makeFolder(spec, out);
    }

    /**
     * Selects constants by a pattern of names.
     *
     * @param option name of the option
     * @param pattern a regular expression
     * @param all all constants
     * @param <T> type of the constants
     * @return those whose name contains a match, at least one
     */
    protected final <T extends Named> List<T> found(String option, String pattern, T[] all) {
        try {
            Pattern compiled = Pattern.compile(pattern);
            List<T> found = Arrays.stream(all).filter(one -> compiled.matcher(one.id()).find()).toList();
            check(!found.isEmpty(), option + '=' + pattern + " is found in no name; there are " + Named.ids(all));
            return found;
        } catch (PatternSyntaxException e) {
            throw new ParameterException(spec.commandLine(), option + '=' + pattern + " is no regular expression: "
                + e.getDescription(), e);
        }
    }

    /**
     * Leaves out what needs UCX, with one line, where that is missing.
     *
     * @param all what was chosen
     * @param needsUcx whether one needs it
     * @param <T> type of the constants
     * @return the others
     * @throws ParameterException if all need it
     */
    protected final <T extends Named> List<T> withoutMissing(List<T> all, Predicate<T> needsUcx) {
        List<T> out = all.stream().filter(needsUcx).toList();
        if (out.isEmpty() || UcxLibrary.isInstalled()) {
            return all;
        }
        String names = String.join(", ", out.stream().map(Named::id).toList());
        check(out.size() < all.size(), names + ": " + UcxLibrary.MISSING);
        CommandSupport.progress(spec, "left out: %s: %s%n", names, UcxLibrary.MISSING);
        return all.stream().filter(one -> !out.contains(one)).toList();
    }

    /**
     * Runs a session, and prints that.
     *
     * @param what its name
     * @param session the session
     * @return its outcome
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    protected final Outcome run(String what, Measurement session) throws IOException, InterruptedException {
        CommandSupport.progress(spec, "%s ... ", what);
        long start = System.nanoTime();
        Outcome outcome = session.run();
        CommandSupport.progress(spec, "%s, %.0f s%n", outcome.failure() == null ? "done" : outcome.failure(),
            (System.nanoTime() - start) / 1e9);
        return outcome;
    }

    /**
     * Writes both forms of a report to the folder, and prints one.
     *
     * @param table name of the file of the text
     * @param text for people
     * @param document name of the file of the JSON
     * @param fields JSON
     * @throws IOException if a file cannot be written
     */
    protected final void write(String table, String text, String document, String fields) throws IOException {
        Files.writeString(out.resolve(document), fields);
        Files.writeString(out.resolve(table), text);
        PrintWriter printer = spec.commandLine().getOut();
        printer.println(json ? fields : text);
        printer.flush();
    }
}
