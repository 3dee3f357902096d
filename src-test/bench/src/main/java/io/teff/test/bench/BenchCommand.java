package io.teff.test.bench;

import io.teff.test.bench.attack.AttackReport;
import io.teff.test.bench.attack.AttackSession;
import io.teff.test.bench.cache.CacheReport;
import io.teff.test.bench.cluster.ClusterReport;
import io.teff.test.bench.cluster.ClusterSession;
import io.teff.test.bench.codec.CodecReport;
import io.teff.test.bench.collect.CollectionReport;
import io.teff.test.bench.collect.CollectionSession;
import io.teff.test.bench.disk.DiskReport;
import io.teff.test.bench.disk.DiskSession;
import io.teff.test.bench.durable.DurableReport;
import io.teff.test.bench.durable.DurableSession;
import io.teff.test.bench.figures.FiguresCommand;
import io.teff.test.bench.graph.GraphReport;
import io.teff.test.bench.graph.GraphSession;
import io.teff.test.bench.grid.GridNode;
import io.teff.test.bench.grid.GridReport;
import io.teff.test.bench.grid.GridSession;
import io.teff.test.bench.grid.YcsbReport;
import io.teff.test.bench.grid.YcsbSession;
import io.teff.test.bench.index.IndexReport;
import io.teff.test.bench.index.IndexSession;
import io.teff.test.bench.kill.KillReport;
import io.teff.test.bench.net.NetReport;
import io.teff.test.bench.net.NetSession;
import io.teff.test.bench.nio.NioReport;
import io.teff.test.bench.nio.NioSession;
import io.teff.test.bench.rdma.RdmaReport;
import io.teff.test.bench.rdma.RdmaSession;
import io.teff.test.bench.report.Chart;
import io.teff.test.bench.report.Comparison;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.report.TableReport;
import io.teff.test.bench.session.Session;
import io.teff.test.bench.session.SessionPlan;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.store.Named;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import io.teff.test.bench.turnover.TurnoverReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The {@code bench} command: compares stores, in rounds in which each store runs once in a JVM of its own. */
@Command(
    name = "./teff bench",
    description = {
        "Compares Teff with other stores on the same data: bytes per entry, throughput, latencies, collector pauses.",
        "Each round starts one JVM per store, with the flags that it needs and the same memory in all. Results are the "
            + "medians of the rounds; table.txt, result.json and charts are written to a folder."},
    subcommands = {Session.class, ScalingReport.class, TurnoverReport.class, CacheReport.class,
        CodecReport.class, CollectionReport.class,
        CollectionSession.class, DiskReport.class, DiskSession.class, DurableReport.class,
        DurableSession.class, NetReport.class, NetSession.class, AttackReport.class, AttackSession.class,
        ClusterReport.class, ClusterSession.class, KillReport.class, GridReport.class,
        GridSession.class, GridNode.class, YcsbReport.class, YcsbSession.class, RdmaReport.class, RdmaSession.class,
        GraphReport.class, GraphSession.class, IndexReport.class, IndexSession.class, NioReport.class, NioSession.class,
        FiguresCommand.class},
    sortOptions = false)
public final class BenchCommand extends RoundsCommand {
    private static final int ENTRIES_MIN = 1000;
    private static final long MEMORY_BYTES_FIXED = 1L << 30;

    @Option(names = "--stores", split = ",", paramLabel = "NAME", converter = Kinds.class,
        description = "Stores to compare (default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Ids.class)
    private @Nullable List<StoreKind> stores;

    @Option(names = "--entries", split = ",", paramLabel = "N", defaultValue = "1000000",
        description = "Numbers of entries (default: ${DEFAULT-VALUE}).")
    private List<Integer> entries = List.of();

    @Option(names = "--values", split = ",", paramLabel = "BYTES", defaultValue = "16-128,32",
        description = "Lengths of the values, one or a range as in 16-128 (default: ${DEFAULT-VALUE}).")
    private List<String> values = List.of();

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
        description = "Most threads, 1 or 2 (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "1000",
        description = "Time of each measurement, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "200000",
        description = "Operations per second of the load for the latencies (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--latency-ms", paramLabel = "MS", defaultValue = "4000",
        description = "Time of that load; 0 leaves it out (default: ${DEFAULT-VALUE}).")
    private int latencyMs;

    @Option(names = "--memory-per-entry", paramLabel = "BYTES", defaultValue = "256",
        description = "Memory of each process per entry, on top of 1 GiB (default: ${DEFAULT-VALUE}).")
    private int memoryPerEntry;

    /**
     * Runs one command line and ends the JVM with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Returns a new command line; tests run it in their own JVM. */
    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).registerConverter(StoreKind.class, new Kinds())
            .setParameterExceptionHandler((wrong, arguments) -> explain(wrong));
    }

    /** Explains an error in a command line, in two lines instead of the whole usage. */
    private static int explain(ParameterException wrong) {
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println(command.qualifiedName() + ": " + wrong.getMessage());
        err.println("Try '" + command.qualifiedName() + " --help'.");
        err.flush();
        return command.exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(threads == 1 || threads == 2, "--threads=" + threads + " is neither 1 nor 2");
        checkLeast("--measure-ms", measureMs, 1);
        checkLeast("--rate", rate, 1);
        check(latencyMs >= 0, "--latency-ms=" + latencyMs + " is negative");
        checkLeast("--memory-per-entry", memoryPerEntry, 1);
        entries.forEach(count -> checkLeast("--entries", count, ENTRIES_MIN));
        List<Values> allLengths = values.stream().map(this::parse).toList();
        begin();
        Machine machine = Machine.here();
        List<Comparison> comparisons = new ArrayList<>();
        for (int count : entries) {
            for (Values lengths : allLengths) {
                comparisons.add(compare(count, lengths));
            }
        }
        for (Comparison comparison : comparisons) {
            Chart.write(comparison, out());
        }
        write("table.txt", TableReport.of(machine, comparisons), "result.json", Comparison.json(machine, comparisons));
        return comparisons.stream().allMatch(Comparison::isComplete) ? 0 : 1;
    }

    private Comparison compare(int count, Values lengths) throws IOException, InterruptedException {
        Set<StoreKind> kinds = kinds(lengths);
        Comparison comparison = new Comparison(count, lengths, rounds());
        for (int round = 1; round <= rounds(); round++) {
            for (StoreKind kind : kinds) {
                SessionPlan plan = new SessionPlan(kind, count, lengths, Math.min(threads, kind.threadsMax()),
                    MEMORY_BYTES_FIXED + (long) memoryPerEntry * count, measureMs, rate, latencyMs);
                comparison.add(kind, run(String.format(Locale.ROOT, "round %d of %d, %,d entries of %s B: %s", round,
                    rounds(), count, lengths, kind.title()), () -> SessionProcess.run(plan, out())));
            }
        }
        return comparison;
    }

    private Set<StoreKind> kinds(Values lengths) {
        Set<StoreKind> kinds = new LinkedHashSet<>(stores != null ? stores : Arrays.asList(StoreKind.values()));
        kinds.removeIf(kind -> kind.isForOneLength() && lengths.lengthMin() < lengths.lengthMax());
        return kinds;
    }

    private Values parse(String lengths) {
        try {
            Values parsed = Values.parse(lengths);
            check(!kinds(parsed).isEmpty(), "--values=" + lengths + " leaves no store: " + StoreKind.GATHER.id()
                + " is for one length");
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), "--values=" + lengths + ": " + e.getMessage(), e);
        }
    }

    private static final class Ids extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Ids() {
            super(Named.ids(StoreKind.values()));
        }
    }

    private static final class Kinds implements ITypeConverter<StoreKind> {
        @Override
        public StoreKind convert(String text) {
            return Named.of(StoreKind.values(), text).orElseThrow(() -> new CommandLine.TypeConversionException(
                "'" + text + "' is no store; there are " + Named.ids(StoreKind.values())));
        }
    }
}
