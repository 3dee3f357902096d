package io.teff.tools.heap;

import io.teff.engine.Store;
import io.teff.engine.config.Limits;
import io.teff.engine.error.StoreException;
import io.teff.engine.report.HeapReport;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code heap} command: reads a snapshot once and reports what fills its store. */
@Command(
    name = "heap",
    description = {
        "Reports what fills a store and how well, from its snapshot: usage by size class, fragmentation, the largest "
            + "chunks, lengths, creators, density of the table.",
        "The file is read once and its checksums are verified. No store is restored, so the file may be larger than "
            + "memory."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the report is complete", "1:the file cannot be read or is damaged, or the map was not written",
        "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff heap store.snapshot --largest=20 --map=store.png", "  ./teff heap plan 10Mx16-128"},
    subcommands = PlanCommand.class,
    sortOptions = false)
public final class HeapCommand implements Callable<Integer> {
    static final int EXIT_GOOD = 0;
    static final int EXIT_FAILED = 1;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double HUNDRED = 100;
    private static final String PICTURE_SUFFIX = ".png";

    @Parameters(arity = "0..1", paramLabel = "SNAPSHOT", description = "A file written by Store.snapshot.")
    private @Nullable Path snapshot;

    @Option(names = "--map", paramLabel = "FILE",
        description = "Draw the memory of the store in order of addresses, into this PNG file: pages by their fill, "
            + "table pages, large chunks, free units. The name ends with .png (default: no map).")
    private @Nullable Path map;

    @Option(names = "--largest", paramLabel = "N", defaultValue = "10",
        description = "Number of the largest chunks to list, 0 to " + Limits.LARGEST_COUNT_MAX
            + " (default: ${DEFAULT-VALUE}).")
    private int largest;

    @Option(names = "--json", description = "Write the report as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private volatile long doneBytes;
    private volatile long allBytes;

    @Override
    public Integer call() throws IOException {
        Path file = checkOptions();
        try {
            long begun = System.nanoTime();
            HeapReport report = analyze(file);
            double seconds = (System.nanoTime() - begun) / SECOND_NS;
            HeapDocument document = HeapDocument.of(file.toString(), Files.size(file), seconds, report);
            if (json) {
                spec.commandLine().getOut().println(JsonDocument.write(document));
                spec.commandLine().getOut().flush();
            } else {
                HeapText.write(document, spec.commandLine().getOut());
            }
            return map == null || draw(report, file, map) ? EXIT_GOOD : EXIT_FAILED;
        } catch (StoreException e) {
            explain(e.getMessage());
            return EXIT_FAILED;
        }
    }

    private HeapReport analyze(Path file) {
        ProgressLine.Style style = quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, this::progress)) {
            return Store.analyze(file, largest, (done, all) -> {
                allBytes = all;
                doneBytes = done;
            });
        }
    }

    private String progress() {
        return Figures.text("heap  %3.0f %%  %s of %s read", HUNDRED * doneBytes / Math.max(allBytes, 1),
            Figures.bytes(doneBytes), Figures.bytes(allBytes));
    }

    private boolean draw(HeapReport report, Path file, Path target) {
        try {
            MapPicture.write(report, String.valueOf(file.getFileName()), target);
            return true;
        } catch (IOException e) {
            explain("the map " + target + " was not written: " + e.getMessage());
            return false;
        }
    }

    private void explain(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("./teff heap: " + message);
        err.flush();
    }

    private Path checkOptions() {
        check(largest >= 0 && largest <= Limits.LARGEST_COUNT_MAX, "--largest=" + largest + " is outside of 0.."
            + Limits.LARGEST_COUNT_MAX);
        check(map == null || map.toString().toLowerCase(Locale.ROOT).endsWith(PICTURE_SUFFIX), "--map=" + map
            + " does not end with " + PICTURE_SUFFIX);
        Path folder = map == null ? null : map.toAbsolutePath().getParent();
        check(folder == null || Files.isDirectory(folder), "--map=" + map + " is in a folder that does not exist");
        if (snapshot == null) {
            throw new ParameterException(spec.commandLine(), "name the file of a snapshot, or use heap plan");
        }
        boolean isDevice = Files.exists(snapshot) && !Files.isRegularFile(snapshot) && !Files.isDirectory(snapshot);
        check(!isDevice, snapshot + " is not a regular file");
        return snapshot;
    }

    /** Returns the first argument that precedes {@code plan} on the command line, or null; {@code plan} takes none. */
    @Nullable String optionNotForPlan() {
        return snapshot != null ? String.valueOf(snapshot) : map != null ? "--map" : json ? "--json"
            : quiet.isSet() ? QuietOption.NAME : null;
    }

    private void check(boolean good, String message) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
