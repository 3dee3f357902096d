package io.teff.test.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * {@code ./teff test}: builds everything, runs all lanes or the ones that are named, and prints one line per lane.
 *
 * <p>Maven builds and tests two modules at a time. Lanes that need the whole machine run afterwards ({@link
 * AloneLanes}). A run of all lanes remembers which modules are green; the gate leaves out a module that was green on
 * this machine with the same inputs ({@link Unchanged}).
 */
final class Gate {
    private static final List<String> FLAGS = List.of("--no-transfer-progress", "--fail-at-end", "-T2",
        "-Djacoco.skip=true", "-Dteff.jcstress.phase=none", "-Dteff.soak.phase=none");

    private final Path root;
    private final Modules modules;
    private final Maven maven;
    private final LaneTable table;
    private final Budgets budgets;

    Gate(Path root, Modules modules, Maven maven) throws IOException {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
        this.table = new LaneTable(modules.all());
        this.budgets = Budgets.read(root);
    }

    /**
     * Runs the lanes.
     *
     * @param arguments {@code --full} or {@code --long}, names of lanes, and arguments for Maven
     * @return the exit code
     */
    int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> rest = new ArrayList<>(arguments);
        Tier tier = Tier.take(rest);
        Set<String> lanes = new LinkedHashSet<>(rest.stream().filter(Lanes.ORDER::contains).toList());
        rest.removeAll(lanes);
        boolean isWhole = lanes.isEmpty() && rest.isEmpty();
        Predicate<Module> isLeftOut = module -> lanes.isEmpty() && tier.leavesOut(module);
        Unchanged unchanged = !isWhole ? Unchanged.nothing(modules, isLeftOut) : Unchanged.of(modules,
            new Inputs(root, modules, Machine.description()), GreenMemory.of(System.getenv()), isLeftOut,
            tier == Tier.GATE);
        deleteReports();
        unchanged.mark();
        List<String> command = new ArrayList<>(FLAGS);
        command.addAll(tier.flags());
        command.addAll(only(lanes));
        command.addAll(unchanged.flags());
        boolean isQueued = isWhole && tier == Tier.GATE;
        command.addAll(isQueued ? TestQueue.FLAGS : List.of());
        command.addAll(rest);
        command.add("verify");
        command.addAll(isQueued ? List.of(TestQueue.GOAL) : List.of());
        Path log = Files.createDirectories(root.resolve("target")).resolve("teff-test.log");
        boolean isGreen;
        long start = System.nanoTime();
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            Consumer<String> line = text -> {
                synchronized (writer) {
                    System.out.println(text);
                    writer.println(text);
                    table.line(text);
                }
            };
            TestQueue queue = new TestQueue(root, modules, module -> isQueued && !unchanged.contains(module), line);
            table.unchanged(unchanged);
            isGreen = unchanged.isAll() || maven.run(command, line.andThen(queue::line)) == 0;
            if (isQueued) {
                queue.await();
            }
            List<ClassReport> reports = table.reports(modules.all());
            isGreen &= new AloneLanes(root, modules, tier, table, line)
                .run(lane -> (lanes.isEmpty() || lanes.contains(lane)) && !table.isUnchanged(lane));
            line.accept("");
            if (isWhole) {
                line.accept(LaneTimes.wholeRun(tier, System.nanoTime() - start));
            }
            isGreen &= tier != Tier.GATE || areWithinBudgets(reports, line);
            table.lines(lanes).forEach(line);
        }
        remember(unchanged);
        if (!isGreen || table.isRed()) {
            System.err.println("teff: some tests failed; all output is in " + log);
            return 1;
        }
        return 0;
    }

    private void deleteReports() throws IOException {
        for (Module module : modules.all()) {
            for (Path folder : ClassReport.folders(module)) {
                delete(folder);
            }
            Files.deleteIfExists(module.target().resolve("jacoco.exec"));   // of other versions of the classes
        }
        Budgets.deleteStarts(modules.all());
    }

    /** Prints what is above the budgets. Returns false if a lane has started too much. */
    private boolean areWithinBudgets(List<ClassReport> reports, Consumer<String> line) throws IOException {
        budgets.warnings(table.seconds(), reports).forEach(line);
        List<String> excesses = budgets.excesses(Budgets.starts(modules.all()));
        excesses.forEach(line);
        return excesses.isEmpty();
    }

    private void remember(Unchanged unchanged) throws IOException {
        for (Module module : modules.all()) {
            if (!unchanged.contains(module) && table.isGreen(module)) {
                unchanged.remember(module);
            }
        }
    }

    /** Returns Maven's arguments for some lanes alone; none for all lanes. */
    private List<String> only(Set<String> lanes) {
        if (lanes.isEmpty()) {
            return List.of();
        }
        List<String> result = new ArrayList<>(List.of("-Dteff.javadoc.phase=none"));
        boolean isUnit = lanes.contains("unit");
        boolean isPlain = lanes.contains(Lanes.PLAIN);
        boolean isSystem = lanes.contains(Lanes.SYSTEM);
        List<String> folders = modules.all().stream()
            .filter(module -> lanes.contains(module.lane()) || isPlain && module.lane().equals("unit")
                || isSystem && module.hasSystemTests())
            .map(Module::folder).toList();
        result.addAll(List.of("-pl", String.join(",", folders), "-am"));
        if (!isUnit) {
            result.add("-Dteff.unit.skip=true");
        }
        if (!isSystem) {
            result.add("-Dteff.system.skip=true");
        }
        if (!isPlain) {
            result.add("-Dteff.plain.phase=none");
        }
        return result;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Deletes a folder with all it holds, if it exists. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
