package io.teff.test.bench.net;

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

/** The {@code bench net} command: runs {@link NetTrial}s in rounds in which each way runs once. */
@Command(
    name = "net",
    description = {
        "Compares Teff's messages with plain sockets, Netty, gRPC and Aeron: latency and throughput, processor time "
            + "and allocation of a message, memory of idle connections.",
        "Each round starts one JVM per way and case, which has both ends. Lengths, threads and links are each varied "
            + "beside the first of the others. Results are the medians of the rounds; net.txt and net.json are written "
            + "to a folder."},
    sortOptions = false)
public final class NetReport extends RoundsCommand {
    private static final int BYTES_MAX = 64 << 10;
    private static final int COUNT_MAX = 1000;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = "",
        description = "Ways to compare: those in whose name a regular expression is found, as in 'teff|netty' "
            + "(default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Kinds.class)
    private String kinds = "";

    @Option(names = "--modes", paramLabel = "PATTERN", defaultValue = "",
        description = "Modes to measure, in the same way (default: all): ${COMPLETION-CANDIDATES}.",
        completionCandidates = Modes.class)
    private String modes = "";

    @Option(names = "--bytes", split = ",", paramLabel = "N", defaultValue = "64,16,1024,65536",
        description = "Lengths of messages, 16 to 65,536 (default: ${DEFAULT-VALUE}).")
    private List<Integer> bytes = List.of();

    @Option(names = "--threads", split = ",", paramLabel = "N", defaultValue = "1,4,16",
        description = "Numbers of threads that send (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads = List.of();

    @Option(names = "--links", split = ",", paramLabel = "N", defaultValue = "1,8,32",
        description = "Numbers of nodes that are sent to (default: ${DEFAULT-VALUE}).")
    private List<Integer> links = List.of();

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "2000",
        description = "Time of each measurement, after as long a warm-up; idle connections rest for longer"
            + " (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    /** Made by the library of the command line. */
    public NetReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        bytes.forEach(it -> checkIn("--bytes", it, NetCase.BYTES_MIN, BYTES_MAX));
        threads.forEach(it -> checkIn("--threads", it, 1, COUNT_MAX));
        links.forEach(it -> checkIn("--links", it, 1, COUNT_MAX));
        checkLeast("--measure-ms", measureMs, 1);
        List<NetKind> chosen = withoutMissing(found("--kinds", kinds, NetKind.values()), NetKind::isOverUcx);
        List<NetCase> cases = NetCase.all(found("--modes", modes, NetMode.values()), bytes, threads,
            links);
        begin();
        NetFigures figures = new NetFigures(cases, rounds());
        for (int round = 1; round <= rounds(); round++) {
            round(figures, round, chosen, cases);
        }
        Machine machine = Machine.here();
        write("net.txt", figures.table(machine), "net.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private void checkIn(String option, int value, int least, int most) {
        check(value >= least && value <= most, option + '=' + value + " is not in " + least + " to " + most);
    }

    /** Runs case by case, so that compared measurements follow one another immediately. */
    private void round(NetFigures figures, int round, List<NetKind> chosen, List<NetCase> cases)
        throws IOException, InterruptedException {
        Map<NetKind, List<Outcome>> outcomes = new LinkedHashMap<>();
        for (NetCase what : cases) {
            for (NetKind kind : chosen) {
                if (kind.isFor(what)) {
                    Outcome outcome = run(String.format(Locale.ROOT, "round %d of %d: %s %s", round, rounds(),
                        what.title(), kind.id()), () -> SessionProcess.run(new NetPlan(kind, what, measureMs), out()));
                    outcomes.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome);
                }
            }
        }
        outcomes.forEach((kind, all) -> figures.add(kind, Outcome.joined(all)));
    }

    private static final class Kinds extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Kinds() {
            super(Named.ids(NetKind.values()));
        }
    }

    private static final class Modes extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Modes() {
            super(Named.ids(NetMode.values()));
        }
    }
}
