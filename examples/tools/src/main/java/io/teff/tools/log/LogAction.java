package io.teff.tools.log;

import io.teff.engine.report.Progress;
import io.teff.recovery.tool.DamagedFilesException;
import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.NoManifestException;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that reads a log: its common options, progress, and the messages and exit codes of failures. */
abstract class LogAction implements Callable<Integer> {
    static final int EXIT_GOOD = 0;
    static final int EXIT_FAILED = 1;
    static final int EXIT_DAMAGED = 3;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Parameters(paramLabel = "DIR", description = "Folder of the log.")
    private Path folder = Path.of("");

    @Option(names = "--json", description = "Write the result as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private volatile long done;
    private volatile long all;

    /** An operation on a log, given its folder, the name of the lock holder, and a receiver of progress. */
    @FunctionalInterface
    interface Operation<T> {
        T run(Path folder, String holder, Progress progress) throws IOException;
    }

    /** A result, and the time in seconds to compute it. */
    record Timed<T>(T result, double seconds) {}

    @Override
    public final Integer call() {
        try {
            return act();
        } catch (NoManifestException e) {
            explain(String.valueOf(e.getMessage()));
            writePlaces("damaged", e.damage());
            return EXIT_DAMAGED;
        } catch (DamagedFilesException e) {
            explain(String.valueOf(e.getMessage()));
            writePlaces("damaged", e.damage());
            return EXIT_DAMAGED;
        } catch (NoSuchFileException | NotDirectoryException _) {
            explain("there is no log in " + folder);
        } catch (FileSystemException e) {
            explain(e.getReason() == null ? e.getClass().getSimpleName() + ": " + e.getMessage()
                : String.valueOf(e.getMessage()));
        } catch (IOException e) {
            explain(String.valueOf(e.getMessage()));
        }
        return EXIT_FAILED;
    }

    /** Executes the command; returns the exit code. */
    abstract int act() throws IOException;

    /** Runs an operation and shows its progress. */
    final <T> Timed<T> run(Operation<T> operation) throws IOException {
        ProgressLine.Style style = quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
        long begun = System.nanoTime();
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, this::progress)) {
            T result = operation.run(folder, name() + ", process " + ProcessHandle.current().pid(), this::progress);
            return new Timed<>(result, (System.nanoTime() - begun) / SECOND_NS);
        }
    }

    private void progress(long unitsDone, long unitsAll) {
        all = unitsAll;
        done = unitsDone;
    }

    private String progress() {
        return progress(name().replaceFirst("\\./teff ", ""), done, all);
    }

    /** Returns the line that shows the progress. */
    String progress(String name, long unitsDone, long unitsAll) {
        return Figures.text("%s  %s of %s segments", name, Figures.count(unitsDone), Figures.count(unitsAll));
    }

    private String name() {
        return spec.qualifiedName();
    }

    /** Writes the document if {@code --json} was given; returns whether it was. */
    final boolean writeJson(Record document) throws IOException {
        if (json) {
            out().println(JsonDocument.write(document));
            out().flush();
        }
        return json;
    }

    /** Writes places in files, one per line. */
    final void writePlaces(String what, List<LogReport.Place> places) {
        places.forEach(place -> out().println(Figures.text("%s  %s, offset %d, %d bytes: %s", what, place.file(),
            place.offset(), place.bytes(), place.why())));
        out().flush();
    }

    final void explain(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(name() + ": " + message);
        err.flush();
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final Path folder() {
        return folder;
    }
}
