package io.teff.test.launcher;

import io.teff.test.launcher.TestJvms.ClassResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lanes unit, system and plain of the gate: a few JVMs share the test classes of all modules that Maven has built.
 * Tests of the cluster come last, as they measure time, and slow classes come first.
 *
 * <p>Maven tests a module in JVMs of the module's own. So eighty JVMs start and warm up, and Maven builds no module
 * while it tests one that the module needs. The queue has neither cost: it begins when Maven has built the last of
 * these modules, and runs beside the lanes that Maven tests. The queue's JVMs have all modules on the class path. The
 * tier {@code full} runs the same classes by Maven, each inside its named module.
 */
final class TestQueue {
    /** Maven's arguments that leave the tests to the queue, and say where the queue finds class paths. */
    static final List<String> FLAGS = List.of("-Dteff.unit.skip=true", "-Dteff.system.skip=true",
        "-Dteff.plain.phase=none", "-Dmdep.includeScope=test", "-Dmdep.outputFile=target/" + FastBuild.LIBRARIES,
        "-Dmdep.regenerateFile=true");
    /** Maven's goal that writes the class paths. */
    static final String GOAL = "dependency:build-classpath";

    private static final String UNIT = "unit";
    /** Tag of unit tests with millions of steps, which need both compilers; a part of the lane unit. */
    private static final String HEAVY = "heavy";
    private static final String ABOVE = "full,long";
    private static final int JVMS = 2;                          // beside the tests that Maven runs
    private static final int MORE_JVMS = 2;                     // when Maven has ended: many tests wait for leases
    private static final String CLUSTER = "io.teff.cluster.";

    private static final Pattern BUILT = Pattern.compile("^\\[INFO] Wrote classpath file '(.*)'\\.$");

    private final Path root;
    private final Modules modules;
    private final Consumer<String> line;
    /** Files of class paths of modules whose tests the queue has, and that Maven has not built yet. */
    private final Set<String> missing = new HashSet<>();
    private final Set<Module> built = new HashSet<>();
    private FutureTask<Void> run;
    private volatile TestJvms jvms;
    private volatile boolean isAlone;

    /**
     * Prepares a queue.
     *
     * @param isTested whether the run tests a module
     * @param line receives progress and failures; called by any thread
     */
    TestQueue(Path root, Modules modules, Predicate<Module> isTested, Consumer<String> line) throws IOException {
        this.root = root;
        this.modules = modules;
        this.line = line;
        for (Module module : modules.all()) {
            if (isTested.test(module) && module.lane().equals(UNIT)) {
                missing.add(module.target().resolve(FastBuild.LIBRARIES).toString());
            }
        }
    }

    /** Takes a line of Maven's output into account: when Maven has built the last module, the tests begin. */
    void line(String text) {
        Matcher matcher = BUILT.matcher(text);
        if (matcher.matches() && missing.remove(matcher.group(1))) {
            modules.all().stream().filter(module -> matcher.group(1).equals(
                module.target().resolve(FastBuild.LIBRARIES).toString())).forEach(built::add);
            if (missing.isEmpty()) {
                begin();
            }
        }
    }

    private void begin() {
        run = new FutureTask<>(() -> {
            run(built::contains);
            return null;
        });
        Thread.ofPlatform().name("test-queue").start(run);
    }

    /**
     * Waits for the end of all tests; called when Maven has ended. If Maven has not built all modules, the tests of the
     * others run now.
     */
    void await() throws IOException, InterruptedException {
        isAlone = true;
        if (run == null) {
            begin();
        } else if (jvms != null) {
            jvms.add(MORE_JVMS);
        }
        try {
            run.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Runs the tests of modules, and leaves a report of each class in the module's target. */
    private void run(Predicate<Module> isTested) throws IOException, InterruptedException {
        Predicate<Module> isUnit = isTested.and(module -> module.lane().equals(UNIT));
        run(HEAVY, isUnit, List.of(ABOVE + "," + Lanes.SYSTEM, HEAVY),
            List.of(TestJvms.NATIVE, TestJvms.ALL_COMPILERS));
        run(UNIT, isUnit, List.of(ABOVE + "," + Lanes.SYSTEM + "," + HEAVY), List.of(TestJvms.NATIVE));
        run(Lanes.SYSTEM, isTested.and(Module::hasSystemTests), List.of(ABOVE, Lanes.SYSTEM), List.of(TestJvms.NATIVE));
        run(Lanes.PLAIN, isTested.and(Module::hasPlainTests), List.of(ABOVE, Lanes.PLAIN),
            List.of(modules.property("teff.plain.sizes").split(" +")));
    }

    /** @param tags the tags that are left out, and then perhaps the one tag that tests must have */
    private void run(String lane, Predicate<Module> isTested, List<String> tags, List<String> flags)
            throws IOException, InterruptedException {
        List<Module> tested = modules.all().stream().filter(isTested).toList();
        Map<String, Module> owners = new HashMap<>();
        for (Module module : tested) {
            for (String name : FastTests.namesIn(tests(module))) {
                if (tags.size() == 1 || isTagged(module, name, tags.getLast())) {
                    owners.putIfAbsent(name, module);
                }
            }
        }
        if (owners.isEmpty()) {
            return;
        }
        Set<String> slow = FastTests.slow(root, true);
        List<String> classes = new ArrayList<>(owners.keySet());
        classes.sort(Comparator.comparing((String name) -> name.startsWith(CLUSTER))
            .thenComparing(name -> !slow.contains(name.substring(name.lastIndexOf('.') + 1)))
            .thenComparing(Comparator.naturalOrder()));
        line.accept(lane + ": " + classes.size() + " classes of tests in " + JVMS + " JVMs");
        List<String> all = new ArrayList<>(flags);
        String folder = lane.equals(UNIT) ? "own" : lane;
        all.add("-Dteff.starts=" + modules.in(FastBuild.KIT).target().resolve("starts").resolve(folder));
        TestJvms current = new TestJvms(root, "target/" + lane, classPath(tested), tags, all, line);
        jvms = current;
        List<ClassResult> results = current.run(isAlone ? JVMS + MORE_JVMS : JVMS, classes, result -> {
            if (result.tests() > 0) {
                line.accept(String.format(Locale.ROOT, "%s: %s, %d tests, %.1f s", lane, result.name(),
                    result.tests(), result.seconds()));
            }
        });
        for (ClassResult result : results) {
            report(owners.get(result.name()), "surefire-reports" + (lane.equals(UNIT) ? "" : "-" + lane), result);
        }
    }

    /** Returns whether a test class, or a class that it extends, has a tag: no JVM loads the others to find none. */
    private static boolean isTagged(Module module, String name, String tag) throws IOException {
        String path = name.replace('.', '/') + ".java";
        for (Path folder : module.tests()) {
            Path file = folder.resolve(path);
            if (Files.exists(file)) {
                String source = Files.readString(file);
                return source.contains("@Tag(\"" + tag + "\")") || source.contains(" extends ");
            }
        }
        return true;
    }

    private static Path tests(Module module) {
        return module.target().resolve("test-classes");
    }

    private List<Path> classPath(List<Module> tested) throws IOException {
        Set<Path> result = new LinkedHashSet<>();
        Set<Path> libraries = new LinkedHashSet<>();
        Set<Module> needed = new LinkedHashSet<>();
        List<Module> all = new ArrayList<>(tested);
        all.add(modules.in(FastBuild.KIT));
        for (Module module : all) {
            result.add(tests(module));
            needed.addAll(modules.closure(module, true));
            libraries.addAll(FastBuild.libraries(root, module));
        }
        needed.forEach(module -> result.add(module.target().resolve("classes")));
        result.addAll(libraries);
        return result.stream().filter(Files::exists).toList();
    }

    /** Writes the head of a report as Maven's test runner writes it. */
    private static void report(Module module, String folder, ClassResult result) throws IOException {
        if (result.tests() > 0) {
            Path reports = Files.createDirectories(module.target().resolve(folder));
            Files.writeString(reports.resolve("TEST-" + result.name() + ".xml"), String.format(Locale.ROOT,
                "<testsuite name=\"%s\" time=\"%.2f\" tests=\"%d\" errors=\"0\" skipped=\"%d\" failures=\"%d\"/>%n",
                result.name(), result.seconds(), result.tests(), result.skipped(), result.failed()));
        }
    }
}
