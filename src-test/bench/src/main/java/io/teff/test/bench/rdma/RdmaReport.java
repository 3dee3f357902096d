package io.teff.test.bench.rdma;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.report.UcxLibrary;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench rdma} command: runs {@link RdmaTrial}s in rounds, here and in a guest. */
@Command(
    name = "rdma",
    description = {
        "Compares RDMA from Java with RDMA from C and with sockets: Teff's verbs, Teff's UCX, the programs of perftest "
            + "and UCX, java.nio, Teff's messages.",
        "Each round starts one JVM per contender and pattern, which has both ends. Contenders on devices run in a "
            + "guest with software devices, all in one boot, if this machine has no device. Results are the medians of "
            + "the rounds; rdma.txt, rdma.json, rdma.csv and a picture (SVG) of each pattern are written to a folder.",
        "Programs in C: src-test/rdma-vm/rdma-vm.sh tools installs them, and setup --uml builds the guest."},
    sortOptions = false)
public final class RdmaReport extends RoundsCommand {
    /** The loop in C, and the script of the guest, below the folder of the project. */
    static final String FOLDER = "src-test/rdma-vm";

    private static final int MEASURE_MS_MAX = 60_000;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = "",
        description = "Contenders: those in whose name a regular expression is found, as in 'ucx|socket' (default: "
            + "all): ${COMPLETION-CANDIDATES}.", completionCandidates = Kinds.class)
    private String kinds = "";

    @Option(names = "--patterns", paramLabel = "PATTERN", defaultValue = "",
        description = "Patterns to measure, in the same way (default: all): ${COMPLETION-CANDIDATES}.",
        completionCandidates = Patterns.class)
    private String patterns = "";

    @Option(names = "--bytes", split = ",", paramLabel = "N", defaultValue = "1,8,64,512,4096,65536,1048576",
        description = "Lengths of operations, 1 to 1,048,576 (default: ${DEFAULT-VALUE}).")
    private List<Integer> bytes = List.of();

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "300",
        description = "Time of each measurement, after as long a warm-up; programs in C make as many operations as "
            + "take about that time (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--no-guest", description = "Leave contenders on devices out if this machine has no device.")
    private boolean noGuest;

    /** The compiled loop, in the guest. */
    @Option(names = "--loop", hidden = true)
    private @Nullable Path loop;

    /** Made by the library of the command line. */
    public RdmaReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        bytes.forEach(it -> check(it >= 1 && it <= RdmaCase.BYTES_MAX, "--bytes=" + it + " is not in 1 to "
            + RdmaCase.BYTES_MAX));
        check(measureMs >= 1 && measureMs <= MEASURE_MS_MAX, "--measure-ms=" + measureMs + " is not in 1 to "
            + MEASURE_MS_MAX);
        final Set<RdmaKind> chosen = new LinkedHashSet<>(found("--kinds", kinds, RdmaKind.values()));
        final List<RdmaPattern> wanted = found("--patterns", patterns, RdmaPattern.values());
        begin();
        final List<RdmaCase> cases = wanted.stream().flatMap(it -> RdmaCase.of(it, bytes).stream()).toList();
        final RdmaFigures figures = new RdmaFigures(cases, rounds());
        leaveOut(chosen, figures);
        final Set<RdmaKind> inGuest = new LinkedHashSet<>();
        final Devices devices = Devices.here();
        if (devices == null) {
            chosen.stream().filter(it -> it.place() == RdmaKind.Place.DEVICE).forEach(inGuest::add);
            chosen.removeAll(inGuest);
        }
        figures.caveats().add(Caveats.of(devices, Runtime.getRuntime().availableProcessors()));
        for (int round = 1; round <= rounds(); round++) {
            round(figures, round, chosen, wanted);
        }
        if (!inGuest.isEmpty()) {
            guest(figures, inGuest);
        }
        final Machine machine = Machine.here();
        Files.writeString(out().resolve("rdma.csv"), figures.csv());
        for (RdmaPattern pattern : wanted) {
            final String picture = figures.picture(pattern);
            if (!picture.isEmpty()) {
                Files.writeString(out().resolve("rdma-" + pattern.id() + ".svg"), picture);
            }
        }
        write("rdma.txt", figures.table(machine), "rdma.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    /** Leaves contenders out whose programs or libraries are missing, with a line for each reason. */
    private void leaveOut(Set<RdmaKind> chosen, RdmaFigures figures) throws IOException, InterruptedException {
        for (RdmaKind.Tool tool : RdmaKind.Tool.values()) {
            final String program = ToolTrial.program(tool);
            if (program != null && !ToolTrial.isInstalled(program)) {
                remove(chosen, figures, program + " is missing: " + ToolTrial.INSTALL,
                    chosen.stream().filter(it -> it.tool() == tool).toList());
            }
        }
        if (!UcxLibrary.isInstalled()) {
            remove(chosen, figures, UcxLibrary.MISSING,
                chosen.stream().filter(it -> it == RdmaKind.TEFF_UCX || it == RdmaKind.TEFF_UCX_TCP
                    || it == RdmaKind.MESSAGES_UCX).toList());
        }
        if (chosen.contains(RdmaKind.LOOP_C) && loop == null) {
            final Path program = out().toAbsolutePath().resolve("loops");
            final String words = ToolTrial.compile(GuestRun.project().resolve(FOLDER).resolve("loops.c"), program);
            if (words.isEmpty()) {
                loop = program;
            } else {
                remove(chosen, figures, "loops.c does not compile (libibverbs-dev is needed): "
                    + words.lines().findFirst().orElse(""), List.of(RdmaKind.LOOP_C));
            }
        }
    }

    private static void remove(Set<RdmaKind> chosen, RdmaFigures figures, String reason, List<RdmaKind> kinds) {
        if (!kinds.isEmpty()) {
            kinds.forEach(chosen::remove);
            figures.leftOut().add(kinds.stream().map(Named::id).collect(Collectors.joining(", ")) + ": " + reason);
        }
    }

    /** Runs pattern by pattern, so that compared measurements follow one another immediately. */
    private void round(RdmaFigures figures, int round, Set<RdmaKind> chosen, List<RdmaPattern> wanted)
            throws IOException, InterruptedException {
        final int processors = Runtime.getRuntime().availableProcessors();
        final Map<RdmaKind, List<Outcome>> outcomes = new LinkedHashMap<>();
        for (RdmaPattern pattern : wanted) {
            for (RdmaKind kind : chosen) {
                if (kind.isFor(pattern, processors)) {
                    final RdmaPlan plan = new RdmaPlan(kind, RdmaCase.of(pattern, bytes), measureMs,
                        kind == RdmaKind.LOOP_C ? String.valueOf(loop) : null);
                    final Outcome outcome = run(String.format(Locale.ROOT, "round %d of %d: %s %s", round, rounds(),
                        pattern.id(), kind.id()), () -> SessionProcess.run(plan, out()));
                    outcomes.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome);
                }
            }
        }
        outcomes.forEach((kind, all) -> figures.add(kind, Outcome.joined(all)));
    }

    private void guest(RdmaFigures figures, Set<RdmaKind> inGuest) throws IOException, InterruptedException {
        final GuestRun guest = new GuestRun(GuestRun.project().resolve(FOLDER).resolve("rdma-vm.sh"), out());
        final String reason = noGuest ? "there is no device here" : guest.whyNot();
        if (!reason.isEmpty()) {
            figures.leftOut().add(inGuest.stream().map(Named::id).collect(Collectors.joining(", ")) + ": " + reason);
            return;
        }
        final List<String> arguments = new ArrayList<>(List.of("rdma", "--kinds",
            inGuest.stream().map(Named::id).collect(Collectors.joining("|", "^(", ")$")), "--patterns", patterns,
            "--bytes", bytes.stream().map(String::valueOf).collect(Collectors.joining(",")), "--measure-ms",
            "" + measureMs, "--rounds", "" + rounds()));
        if (loop != null) {
            arguments.addAll(List.of("--loop", loop.toString()));
        }
        guest.run(arguments, spec().commandLine().getErr());
        figures.addAll(guest.result());
    }

    private static final class Kinds extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Kinds() {
            super(Named.ids(RdmaKind.values()));
        }
    }

    private static final class Patterns extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Patterns() {
            super(Named.ids(RdmaPattern.values()));
        }
    }
}
