package io.teff.test.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code ./teff test}: builds everything, runs all lanes or the ones that are named, and prints one line per lane.
 *
 * <p>Maven builds and tests two modules at a time. Lanes that need the whole machine run afterwards, one by one: the
 * races of jcstress, which need both processors, and the soak runs, which judge the memory of their own process. In the
 * short form the soak runs of both memory modes are under way at the same time.
 */
final class Gate {
    private static final List<String> SHORT = List.of("-T2", "-Djacoco.skip=true",
        "-Dteff.short.jit=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    private static final List<String> FULL = List.of("-Dteff.tags.excluded=long", "-Dteff.full=true");
    private static final List<String> LONG = List.of("-T2", "-Djacoco.skip=true", "-Dteff.tags.excluded=none",
        "-Dteff.full=true", "-Dteff.long=true",
        "-Dteff.test.timeoutSeconds=14400", "-Dteff.test.methodMinutes=200",
        "-Dteff.plain.sizes=-Dteff.model.sequences=300 -Dteff.map.sequences=12");
    private static final String SOAK_MINUTE = "--minutes=1";
    /** Of a soak run that is repeated. */
    private static final String SOAK_LONGER = "--minutes=4";
    private static final List<String> SOAK_SHORT = List.of(SOAK_MINUTE);
    private static final List<String> SOAK_SHORT_PLAIN = List.of(SOAK_MINUTE);
    private static final List<String> SOAK_LONG = List.of("--minutes=10");
    private static final List<String> SOAK_LONG_PLAIN = List.of("--minutes=5");

    private final Path root;
    private final Modules modules;
    private final Maven maven;
    private final LaneTable table;

    Gate(Path root, Modules modules, Maven maven) {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
        this.table = new LaneTable(modules.all());
    }

    /**
     * Runs the lanes.
     *
     * @param arguments {@code --full} or {@code --long}, names of lanes, and arguments for Maven
     * @return the exit code
     */
    int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> rest = new ArrayList<>(arguments);
        boolean isLong = rest.remove("--long");
        boolean isFull = rest.remove("--full");
        Set<String> lanes = new LinkedHashSet<>(rest.stream().filter(Lanes.ORDER::contains).toList());
        rest.removeAll(lanes);
        for (Module module : modules.all()) {
            for (Path folder : LaneTable.folders(module)) {
                delete(folder);
            }
            Files.deleteIfExists(module.target().resolve("jacoco.exec"));   // of other versions of the classes
        }
        List<String> command = new ArrayList<>(List.of("--no-transfer-progress", "--fail-at-end"));
        command.addAll(isLong ? LONG : SHORT);
        if (isFull && !isLong) {
            command.addAll(FULL);
        }
        command.addAll(List.of("-Dteff.jcstress.phase=none", "-Dteff.soak.phase=none"));
        command.addAll(only(lanes));
        command.addAll(rest);
        command.add("verify");
        Path log = Files.createDirectories(root.resolve("target")).resolve("teff-test.log");
        boolean isGreen;
        long start = System.nanoTime();
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            Consumer<String> line = text -> {
                System.out.println(text);
                writer.println(text);
                table.line(text);
            };
            isGreen = maven.run(command, line) == 0;
            for (Module module : modules.all()) {
                table.reports(module);
            }
            isGreen &= runAlone(isLong, lanes, line);
            line.accept("");
            if (lanes.isEmpty() && !isLong) {
                line.accept(LaneTimes.wholeRun(System.nanoTime() - start));
            }
            table.lines(lanes).forEach(line);
        }
        if (!isGreen || table.isRed()) {
            System.err.println("teff: some tests failed; all output is in " + log);
            return 1;
        }
        return 0;
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

    /** Runs the lanes that need the whole machine. A lane whose module is red, or was left out, is left out. */
    private boolean runAlone(boolean isLong, Set<String> lanes, Consumer<String> line)
            throws IOException, InterruptedException {
        boolean isGreen = true;
        Map<String, List<List<String>>> runs = new LinkedHashMap<>();
        Module jcstress = modules.in("src-test/jcstress");
        if (jcstress != null && Files.exists(Freshness.stamp(jcstress))) {
            List<String> java = new ArrayList<>(List.of(java(), "-cp", Freshness.classPath(jcstress),
                "io.teff.test.jcstress.Lane"));
            if (isLong) {
                java.add("--long");
            }
            runs.put("jcstress", List.of(java));
        }
        String teff = root.resolve("teff").toString();
        List<String> soak = new ArrayList<>(List.of(teff, "soak"));
        soak.addAll(isLong ? SOAK_LONG : SOAK_SHORT);
        List<String> plain = new ArrayList<>(List.of(teff, "--plain", "soak"));
        plain.addAll(isLong ? SOAK_LONG_PLAIN : SOAK_SHORT_PLAIN);
        runs.put("soak", List.of(soak, plain));
        for (Map.Entry<String, List<List<String>>> lane : runs.entrySet()) {
            if ((lanes.isEmpty() || lanes.contains(lane.getKey())) && table.isReady(lane.getKey())) {
                isGreen &= isLong ? areGreenInTurn(lane.getKey(), lane.getValue(), line)
                    : areGreenTogether(lane.getKey(), lane.getValue(), line);
            }
        }
        return isGreen;
    }

    private boolean areGreenInTurn(String lane, List<List<String>> commands, Consumer<String> line)
            throws IOException, InterruptedException {
        boolean isGreen = true;
        for (List<String> command : commands) {
            isGreen &= isGreen(lane, command, line);
        }
        return isGreen;
    }

    /** Runs commands at the same time; the lines of the first appear at once, those of the others when it has ended. */
    private boolean areGreenTogether(String lane, List<List<String>> commands, Consumer<String> line)
            throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<List<String>> texts = new ArrayList<>();
            List<Future<Boolean>> others = new ArrayList<>();
            for (List<String> command : commands.subList(1, commands.size())) {
                List<String> text = new ArrayList<>();
                texts.add(text);
                others.add(threads.submit(() -> isGreen(lane, command, text::add)));
            }
            boolean isGreen = isGreen(lane, commands.getFirst(), line);
            for (int i = 0; i < others.size(); i++) {
                isGreen &= others.get(i).get();
                texts.get(i).forEach(line);
            }
            return isGreen;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private boolean isGreen(String lane, List<String> command, Consumer<String> line)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> text = new ArrayList<>();
        int code = run(lane, command, line.andThen(text::add));
        if (code != 0 && command.contains(SOAK_MINUTE) && failsByMemoryAlone(text)) {
            line.accept("soak: a minute may be too short on a machine with other work; again, for longer");
            code = run(lane, command.stream().map(it -> it.equals(SOAK_MINUTE) ? SOAK_LONGER : it).toList(), line);
        }
        table.runner(lane, (System.nanoTime() - start) / 1e9, code != 0);
        return code == 0;
    }

    private int run(String lane, List<String> command, Consumer<String> line) throws IOException, InterruptedException {
        return Command.run(folder(lane), Map.of("TEFF_NO_BUILD", "yes", "JAVA25_HOME",
            System.getProperty("java.home")), command, line);
    }

    /** Returns whether resident memory, which grows while the compilers warm up, is all that a soak run objects to. */
    static boolean failsByMemoryAlone(List<String> text) {
        List<String> failed = text.stream().filter(it -> it.contains(" FAILED  ")).toList();
        return !failed.isEmpty() && failed.stream().allMatch(it -> it.strip().startsWith("resident memory "));
    }

    private Path folder(String lane) throws IOException {
        return Files.createDirectories(root.resolve("src-test").resolve(lane).resolve("target"));
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
