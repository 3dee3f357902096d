package io.teff.tools.log;

import io.teff.engine.report.Progress;
import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.NoManifestException;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands that look at a log have in common: the folder, progress, and what is said when it fails. */
abstract class LogAction implements Callable<Integer> {
    static final int EXIT_GOOD = 0;
    static final int EXIT_FAILED = 1;
    static final int EXIT_DAMAGED = 3;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Parameters(paramLabel = "DIR", description = "The folder of the log.")
    private Path folder = Path.of("");

    @Option(names = "--json", description = "Write a JSON document; progress goes to standard error.")
    private boolean json;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // the library reads it
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private volatile long done;
    private volatile long all;

    /** Something that reads a log, and is told who it is, and tells how far it is. */
    @FunctionalInterface
    interface Work<T> {
        T run(Path folder, String holder, Progress progress) throws IOException;
    }

    /** A result, and the seconds that it took. */
    record Timed<T>(T result, double seconds) {}

    @Override
    public final Integer call() {
        try {
            return act();
        } catch (NoManifestException e) {
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

    /** Does it; returns the exit code. */
    abstract int act() throws IOException;

    /** Runs some work with progress. */
    final <T> Timed<T> run(Work<T> work) throws IOException {
        ProgressLine.Style style = quiet ? ProgressLine.Style.NONE : ProgressLine.suitable();
        long begun = System.nanoTime();
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, this::progress)) {
            T result = work.run(folder, "teff log " + spec.name() + ", process " + ProcessHandle.current().pid(),
                this::progress);
            return new Timed<>(result, (System.nanoTime() - begun) / SECOND_NS);
        }
    }

    private void progress(long segmentsDone, long segmentsAll) {
        all = segmentsAll;
        done = segmentsDone;
    }

    private String progress() {
        return Figures.text("log %s  %s of %s segments", spec.name(), Figures.count(done), Figures.count(all));
    }

    /** Writes the document if that is wanted. */
    final boolean writeJson(Record document) throws IOException {
        if (json) {
            out().println(JsonDocument.write(document));
            out().flush();
        }
        return json;
    }

    /** Writes places in files, one a line. */
    final void writePlaces(String what, List<LogReport.Place> places) {
        places.forEach(place -> out().println(Figures.text("%s  %s, offset %d, %d bytes: %s", what, place.file(),
            place.offset(), place.bytes(), place.why())));
        out().flush();
    }

    final void explain(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("teff log " + spec.name() + ": " + message);
        err.flush();
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final Path folder() {
        return folder;
    }
}
