package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The lanes that need the whole machine, which run one by one when Maven has ended: the races of jcstress, which need
 * both processors, and the soak runs, which judge the memory of their own process. Below the tier long, the soak runs
 * of both memory modes are under way at the same time.
 */
final class AloneLanes {
    private static final String SOAK_SMOKE = "--minutes=0.4";
    private static final String SOAK_MINUTE = "--minutes=1";
    /** Of a soak run that is repeated. */
    private static final String SOAK_LONGER = "--minutes=4";

    private final Path root;
    private final Modules modules;
    private final Tier tier;
    private final LaneTable table;
    private final Consumer<String> line;

    AloneLanes(Path root, Modules modules, Tier tier, LaneTable table, Consumer<String> line) {
        this.root = root;
        this.modules = modules;
        this.tier = tier;
        this.table = table;
        this.line = line;
    }

    /**
     * Runs the lanes. A lane whose module is red, or was left out, is left out.
     *
     * @param isWanted whether a lane is part of the run
     * @return whether all are green
     */
    boolean run(Predicate<String> isWanted) throws IOException, InterruptedException {
        boolean isGreen = true;
        Map<String, List<List<String>>> runs = new LinkedHashMap<>();
        Module jcstress = modules.in("src-test/jcstress");
        if (jcstress != null && Files.exists(Freshness.stamp(jcstress))) {
            runs.put("jcstress", List.of(List.of(Gate.java(), "-cp", Freshness.classPath(jcstress),
                "io.teff.test.jcstress.Lane", "--" + tier.name().toLowerCase(Locale.ROOT))));
        }
        runs.put("soak", soaks());
        for (Map.Entry<String, List<List<String>>> lane : runs.entrySet()) {
            if (isWanted.test(lane.getKey()) && table.isReady(lane.getKey())) {
                isGreen &= tier == Tier.LONG ? areGreenInTurn(lane.getKey(), lane.getValue())
                    : areGreenTogether(lane.getKey(), lane.getValue());
            }
        }
        return isGreen;
    }

    private List<List<String>> soaks() {
        String teff = root.resolve("teff").toString();
        return switch (tier) {
            case GATE -> List.of(List.of(teff, "soak", SOAK_SMOKE));
            case FULL -> List.of(List.of(teff, "soak", SOAK_MINUTE), List.of(teff, "--plain", "soak", SOAK_MINUTE));
            case LONG -> List.of(List.of(teff, "soak", "--minutes=10"),
                List.of(teff, "--plain", "soak", "--minutes=5"));
        };
    }

    private boolean areGreenInTurn(String lane, List<List<String>> commands) throws IOException, InterruptedException {
        boolean isGreen = true;
        for (List<String> command : commands) {
            isGreen &= isGreen(lane, command, line);
        }
        return isGreen;
    }

    /** Runs commands at the same time; the lines of the first appear at once, those of the others when it has ended. */
    private boolean areGreenTogether(String lane, List<List<String>> commands)
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

    private boolean isGreen(String lane, List<String> command, Consumer<String> output)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<String> text = new ArrayList<>();
        int code = run(lane, command, output.andThen(text::add));
        boolean isShort = command.contains(SOAK_MINUTE) || command.contains(SOAK_SMOKE);
        if (code != 0 && isShort && failsByMemoryAlone(text)) {
            output.accept("soak: the run may be too short on a machine with other work; again, for longer");
            List<String> longer = command.stream().map(it -> it.startsWith("--minutes") ? SOAK_LONGER : it).toList();
            code = run(lane, longer, output);
        }
        table.runner(lane, (System.nanoTime() - start) / 1e9, code != 0);
        return code == 0;
    }

    private int run(String lane, List<String> command, Consumer<String> output)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(root.resolve("src-test").resolve(lane).resolve("target"));
        return Command.run(folder, Map.of("TEFF_NO_BUILD", "yes", "JAVA25_HOME", System.getProperty("java.home")),
            command, output);
    }

    /** Returns whether resident memory, which grows while the compilers warm up, is all that a soak run objects to. */
    static boolean failsByMemoryAlone(List<String> text) {
        List<String> failed = text.stream().filter(it -> it.contains(" FAILED  ")).toList();
        return !failed.isEmpty() && failed.stream().allMatch(it -> it.strip().startsWith("resident memory "));
    }
}
