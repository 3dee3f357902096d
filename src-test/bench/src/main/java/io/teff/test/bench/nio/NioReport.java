package io.teff.test.bench.nio;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench nio} command: runs {@link NioTrial}s in rounds in which each provider runs once. */
@Command(
    name = "nio",
    description = {
        "Compares selector providers of java.nio: the JDK's, Teff's over UCX, and UCX without a provider. Ping-pong "
            + "and streams, plain and by Netty; memory of idle connections.",
        "Each round starts one JVM per provider and case, which has both ends. Results are the medians of the rounds; "
            + "nio.txt and nio.json are written to a folder."},
    sortOptions = false)
public final class NioReport extends RoundsCommand {
    private static final int BYTES_MAX = 1 << 20;
    private static final int COUNT_MAX = 10_000;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = "",
        description = "Contenders: those in whose name a regular expression is found, as in 'jdk|ucx' (default: all): "
            + "${COMPLETION-CANDIDATES}.", completionCandidates = Kinds.class)
    private String kinds = "";

    @Option(names = "--modes", paramLabel = "PATTERN", defaultValue = "",
        description = "Patterns to measure, in the same way (default: all): ${COMPLETION-CANDIDATES}.",
        completionCandidates = Modes.class)
    private String modes = "";

    @Option(names = "--bytes", split = ",", paramLabel = "N", defaultValue = "16,1024,65536",
        description = "Lengths of messages, 1 to 1,048,576 (default: ${DEFAULT-VALUE}).")
    private List<Integer> bytes = List.of();

    @Option(names = "--connections", split = ",", paramLabel = "N", defaultValue = "1,4,16",
        description = "Numbers of Netty's connections, up to 512 for the scaling (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of();

    @Option(names = "--idle", paramLabel = "N", defaultValue = "1000",
        description = "Connections that rest (default: ${DEFAULT-VALUE}).")
    private int idle;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "1000",
        description = "Time of each measurement, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    /** Made by the library of the command line. */
    public NioReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        bytes.forEach(it -> checkIn("--bytes", it, BYTES_MAX));
        connections.forEach(it -> checkIn("--connections", it, COUNT_MAX));
        checkIn("--idle", idle, COUNT_MAX);
        checkLeast("--measure-ms", measureMs, 1);
        final List<NioKind> chosen = withoutMissing(found("--kinds", kinds, NioKind.values()), NioKind::isOverUcx);
        final List<NioCase> cases = NioCase.all(found("--modes", modes, NioMode.values()), bytes, connections, idle);
        begin();
        final NioFigures figures = new NioFigures(cases, rounds());
        for (int round = 1; round <= rounds(); round++) {
            round(figures, round, chosen, cases);
        }
        final Machine machine = Machine.here();
        write("nio.txt", figures.table(machine), "nio.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private void checkIn(String option, int value, int most) {
        check(value >= 1 && value <= most, option + '=' + value + " is not in 1 to " + most);
    }

    /** Runs case by case, so that compared measurements follow one another immediately. */
    private void round(NioFigures figures, int round, List<NioKind> chosen, List<NioCase> cases)
            throws IOException, InterruptedException {
        final Map<NioKind, List<Outcome>> outcomes = new LinkedHashMap<>();
        for (NioCase what : cases) {
            for (NioKind kind : chosen) {
                if (kind.isFor(what)) {
                    final Outcome outcome = run(String.format(Locale.ROOT, "round %d of %d: %s %s", round, rounds(),
                        what.title(), kind.id()), () -> SessionProcess.run(new NioPlan(kind, what, measureMs), out()));
                    outcomes.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome);
                }
            }
        }
        outcomes.forEach((kind, all) -> figures.add(kind, Outcome.joined(all)));
    }

    private static final class Kinds extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Kinds() {
            super(Named.ids(NioKind.values()));
        }
    }

    private static final class Modes extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Modes() {
            super(Named.ids(NioMode.values()));
        }
    }
}
