package io.teff.test.bench.disk;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench disk} command: runs {@link DiskTrial}s in rounds in which each method runs once. */
@Command(
    name = "disk",
    description = {
        "Compares ways to write and read files on the disk of a folder: FileChannel, pwrite, io_uring, mapped files, "
            + "through the page cache and past it.",
        "Each round starts one JVM per way. Results are the medians of the rounds; disk.txt and disk.json are written "
            + "to a folder."},
    sortOptions = false)
public final class DiskReport extends RoundsCommand {
    private static final long MEBIBYTE = 1 << 20;
    private static final int FILE_MIB_UNIT = (int) (Content.BYTES / MEBIBYTE);

    @Option(names = "--folder", paramLabel = "DIR", defaultValue = "target",
        description = "A folder of its own is made in it for the file, and is removed at the end; it must be on a disk "
            + "(default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("");

    @Option(names = "--file-mib", paramLabel = "MIB", defaultValue = "1024",
        description = "Length of the file, a multiple of 8 (default: ${DEFAULT-VALUE}).")
    private int fileMib;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "2000",
        description = "Time of each measurement of small writes, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--methods", paramLabel = "REGEX", defaultValue = ".",
        description = "Only ways in whose name this is found: ${COMPLETION-CANDIDATES} (default: all).",
        completionCandidates = Methods.class)
    private String methods = "";

    /** Made by the library of the command line. */
    public DiskReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(fileMib >= FILE_MIB_UNIT && fileMib % FILE_MIB_UNIT == 0, "--file-mib=" + fileMib
            + " is no multiple of " + FILE_MIB_UNIT);
        checkLeast("--measure-ms", measureMs, 1);
        List<DiskMethod> chosen = found("--methods", methods, DiskMethod.values());
        try (RealFolder own = RealFolder.make(spec(), folder, fileMib * MEBIBYTE)) {
            begin();
            return report(own, chosen);
        }
    }

    private int report(RealFolder own, List<DiskMethod> chosen) throws IOException, InterruptedException {
        long fileBytes = fileMib * MEBIBYTE;
        DiskFigures figures = new DiskFigures(own.type(), fileBytes, rounds());
        List<DiskMethod> kinds = new ArrayList<>(chosen);
        for (DiskMethod kind : chosen) {
            String problem = kind.problem();
            if (problem != null) {
                kinds.remove(kind);
                figures.leaveOut(kind, problem);
            }
        }
        Path file = own.path().resolve("file");
        DiskTrial.make(file, fileBytes);
        for (int round = 1; round <= rounds(); round++) {
            for (DiskMethod kind : kinds) {
                figures.add(kind, run(String.format(Locale.ROOT, "round %d of %d: %s", round, rounds(), kind.id()),
                    () -> SessionProcess.run(new DiskPlan(kind, file, measureMs), out())));
            }
        }
        Machine machine = Machine.here();
        write("disk.txt", figures.table(machine), "disk.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private static final class Methods extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Methods() {
            super(Named.ids(DiskMethod.values()));
        }
    }
}
