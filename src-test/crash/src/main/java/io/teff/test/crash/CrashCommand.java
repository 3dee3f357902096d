package io.teff.test.crash;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code crash} command: kills a process with a durable store repeatedly, and checks the recovered content. */
@Command(
    name = "./teff crash",
    description = {
        "Starts a process that works on a durable store, kills it, and compares the store with the changes that were "
            + "acknowledged; then continues with the same folder.",
        "Then kills it at system calls and makes calls fail, both with strace, and fills its disk, which needs "
            + "root. Then damages its files, takes its lock away, and lets stacks of its threads end. Parts that this "
            + "machine does not support are listed at the end."},
    sortOptions = false)
public final class CrashCommand implements Callable<Integer> {
    private static final int EXIT_FAILED = 1;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "40",
        description = "Number of kills at random moments, about one second each (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(names = "--calls", paramLabel = "N", defaultValue = "6",
        description = "Kills at each of the first N system calls, with five processes for each (default: "
            + "${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--errors", paramLabel = "N", defaultValue = "2",
        description = "Number of failing calls of each kind (default: ${DEFAULT-VALUE}).")
    private int errors;

    @Option(names = "--fulls", paramLabel = "N", defaultValue = "2",
        description = "Number of times the disk becomes full (default: ${DEFAULT-VALUE}).")
    private int fulls;

    @Option(names = "--wounds", paramLabel = "N", defaultValue = "4",
        description = "Number of times a file is damaged and the lock is lost (default: ${DEFAULT-VALUE}).")
    private int wounds;

    @Option(names = "--stacks", paramLabel = "N", defaultValue = "2",
        description = "Number of processes in which stacks of threads end in the middle of records (default: "
            + "${DEFAULT-VALUE}).")
    private int stacks;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of all random decisions except those of the machine (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--folder", paramLabel = "DIR",
        description = "Folder to use, on a real disk (default: a new folder among the system's temporary files). The "
            + "files of a failure are kept there.")
    private @Nullable Path folder;

    @Option(names = "--hang", paramLabel = "SECONDS", defaultValue = "120",
        description = "Limit of a wait in seconds, after which it counts as a hang (default: ${DEFAULT-VALUE}).")
    private int hangSeconds;

    @Option(names = "--plant", paramLabel = "FAULT", defaultValue = "NONE",
        description = "Fault to plant, which must be found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Plant plant = Plant.NONE;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs one command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new CrashCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        final Path place = Files.createTempDirectory(Files.createDirectories(folder != null ? folder
            : Path.of(System.getProperty("java.io.tmpdir"))).toAbsolutePath(), "teff-crash-");
        final PrintWriter out = spec.commandLine().getOut();
        final PrintWriter err = spec.commandLine().getErr();
        final CrashReport report = CrashRun.run(new CrashPlan(seed, kills, calls, errors, fulls, wounds, stacks,
            place, hangSeconds, plant), line -> {
                if (!quiet) {
                    err.println(line);
                    err.flush();
                }
            });
        out.print(report.text());
        out.flush();
        if (report.isGood()) {
            CrashRun.delete(place);
            return 0;
        }
        report.wrongs().forEach(err::println);
        err.println("reproduce: ./teff crash --seed=" + seed + " --kills=" + kills + " --calls=" + calls + " --errors="
            + errors + " --fulls=" + fulls + " --wounds=" + wounds + " --stacks=" + stacks
            + (plant == Plant.NONE ? "" : " --plant=" + plant)
            + "; files kept in: " + place);
        err.flush();
        return EXIT_FAILED;
    }
}
