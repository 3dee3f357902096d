package io.teff.test.bench.disk;

import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.session.SessionProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench disk} command: runs {@link DiskTrial}s in rounds in which each way has its turn. */
@Command(
    name = "disk",
    description = {
        "Compares ways to write and read files on the disk of a folder: FileChannel, pwrite, io_uring, mapped files, "
            + "through the page cache and past it.",
        "Each round starts one JVM per way. Results are the medians of the rounds; disk.txt and disk.json are written "
            + "to a folder."},
    sortOptions = false)
public final class DiskReport implements Callable<Integer> {
    private static final long MEBIBYTE = 1 << 20;
    private static final int FILE_MIB_UNIT = (int) (Content.BYTES / MEBIBYTE);

    @Option(names = "--folder", paramLabel = "DIR", defaultValue = "target",
        description = "A folder of its own is made in it for the file, and is removed at the end; it must be on a disk "
            + "(default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("");

    @Option(names = "--file-mib", paramLabel = "MIB", defaultValue = "1024",
        description = "Length of the file, a multiple of 8 (default: ${DEFAULT-VALUE}).")
    private int fileMib;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "2000",
        description = "Time of each measurement of small writes, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "target/bench",
        description = "Folder for the results (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(names = "--json", description = "Print the JSON instead of the table.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // the library reads it
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    public DiskReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandSupport.check(spec, fileMib >= FILE_MIB_UNIT && fileMib % FILE_MIB_UNIT == 0, "--file-mib=" + fileMib
            + " is no multiple of " + FILE_MIB_UNIT);
        CommandSupport.check(spec, rounds >= 1, "--rounds=" + rounds + " is less than 1");
        CommandSupport.check(spec, measureMs >= 1, "--measure-ms=" + measureMs + " is less than 1");
        try (RealFolder own = RealFolder.make(spec, folder, fileMib * MEBIBYTE)) {
            CommandSupport.makeFolder(spec, out);
            return report(own);
        }
    }

    private int report(RealFolder own) throws IOException, InterruptedException {
        long fileBytes = fileMib * MEBIBYTE;
        DiskFigures figures = new DiskFigures(own.type(), fileBytes, rounds);
        List<DiskMethod> kinds = new ArrayList<>(Arrays.asList(DiskMethod.values()));
        for (DiskMethod kind : DiskMethod.values()) {
            String problem = kind.problem();
            if (problem != null) {
                kinds.remove(kind);
                figures.leaveOut(kind, problem);
            }
        }
        Path file = own.path().resolve("file");
        DiskTrial.make(file, fileBytes);
        for (int round = 1; round <= rounds; round++) {
            for (DiskMethod kind : kinds) {
                CommandSupport.progress(spec, "round %d of %d: %s ... ", round, rounds, kind.id());
                long start = System.nanoTime();
                SessionProcess.Outcome outcome = SessionProcess.run(new DiskPlan(kind, file, measureMs), out);
                figures.add(kind, outcome);
                CommandSupport.progress(spec, "%s, %.0f s%n", outcome.failure() == null ? "done" : outcome.failure(),
                    (System.nanoTime() - start) / 1e9);
            }
        }
        Machine machine = Machine.here();
        String document = figures.json(machine);
        String table = figures.table(machine);
        Files.writeString(out.resolve("disk.json"), document);
        Files.writeString(out.resolve("disk.txt"), table);
        PrintWriter printer = spec.commandLine().getOut();
        printer.println(json ? document : table);
        printer.flush();
        return figures.isComplete() ? 0 : 1;
    }
}
