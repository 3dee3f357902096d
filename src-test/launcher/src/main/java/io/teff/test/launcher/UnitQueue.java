package io.teff.test.launcher;

import io.teff.test.launcher.TestJvms.ClassResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The unit tests of the gate: a few JVMs share the test classes of all modules that Maven has built, slow ones first.
 *
 * <p>Maven tests a module in JVMs of the module's own, so some eighty JVMs start and warm up, and Maven builds no module
 * while it tests one that the module needs. The queue has neither cost. Its JVMs have all modules on the class path;
 * the tier {@code full} runs the same classes by Maven, each inside its named module.
 */
final class UnitQueue {
    /** Maven's arguments that leave the unit tests to the queue, and write the class paths that the queue needs. */
    static final List<String> FLAGS = List.of("-Dteff.unit.skip=true", "-Dmdep.includeScope=test",
        "-Dmdep.outputFile=target/" + FastBuild.LIBRARIES, "-Dmdep.regenerateFile=true");
    /** Maven's goal that writes the class paths. */
    static final String GOAL = "dependency:build-classpath";

    private static final String LANE = "unit";
    private static final String TAGS = "full,long,system";
    private static final int JVMS = 3;                          // on two processors: some tests wait for leases

    private final Path root;
    private final Modules modules;
    private final Consumer<String> line;

    UnitQueue(Path root, Modules modules, Consumer<String> line) {
        this.root = root;
        this.modules = modules;
        this.line = line;
    }

    /** Runs the tests of modules, which Maven has built, and leaves a report of each class in the module's target. */
    void run(List<Module> tested) throws IOException, InterruptedException {
        Map<String, Module> owners = new HashMap<>();
        for (Module module : tested) {
            for (String name : FastTests.namesIn(tests(module))) {
                owners.putIfAbsent(name, module);
            }
        }
        if (owners.isEmpty()) {
            return;
        }
        Set<String> slow = FastTests.slow(root, true);
        List<String> classes = new ArrayList<>(owners.keySet());
        classes.sort(Comparator.comparing((String name) -> !slow.contains(name.substring(name.lastIndexOf('.') + 1)))
            .thenComparing(Comparator.naturalOrder()));
        line.accept("unit: " + classes.size() + " classes of tests in " + JVMS + " JVMs");
        Path starts = modules.in(FastBuild.KIT).target().resolve("starts/own");
        List<String> flags = List.of("-Dteff.starts=" + starts);
        List<ClassResult> results = new TestJvms(root, "target/unit", classPath(tested), TAGS, flags, line)
            .run(JVMS, classes, result -> line.accept(String.format(Locale.ROOT, "unit: %s, %d tests, %.1f s",
                result.name(), result.tests(), result.seconds())));
        for (ClassResult result : results) {
            report(owners.get(result.name()), result);
        }
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
    private static void report(Module module, ClassResult result) throws IOException {
        Path folder = Files.createDirectories(module.target().resolve("surefire-reports"));
        Files.writeString(folder.resolve("TEST-" + result.name() + ".xml"), String.format(Locale.ROOT,
            "<testsuite name=\"%s\" time=\"%.2f\" tests=\"%d\" errors=\"0\" skipped=\"%d\" failures=\"%d\"/>%n",
            result.name(), result.seconds(), result.tests(), result.skipped(), result.failed()));
    }

    /** Returns whether a module's own tests are unit tests. */
    static boolean isPart(Module module) {
        return module.lane().equals(LANE);
    }
}
