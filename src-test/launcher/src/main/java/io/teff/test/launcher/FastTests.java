package io.teff.test.launcher;

import io.teff.test.launcher.TestJvms.ClassResult;
import java.io.File;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code ./teff test --fast}: the inner loop. Compiles what has changed without Error Prone, and runs unit tests and
 * the rules of the repository in two JVMs, on the class path.
 *
 * <p>Libraries are resolved by Maven once, and again when a pom has changed. Each module is compiled into
 * {@code target/fast} of its own; it is compiled again when one of its sources, or a module that it needs, was changed.
 * Arguments name modules (by folder, or by a part of it) and test classes (by their simple names).
 */
final class FastTests {
    private static final int JVMS = 2;
    private static final List<String> RULES = List.of("io.teff.test.rules.tidy.", "io.teff.test.rules.architecture.");
    private static final String RULES_MODULE = "src-test/rules";
    private static final String TAGS = "full,long,heavy,system";
    /** Marks classes of {@code slow.txt} that only a run of the whole tree leaves out. */
    private static final String WHOLE = " whole";

    private final Path root;
    private final Modules modules;
    private final Maven maven;

    FastTests(Path root, Modules modules, Maven maven) {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
    }

    /** Compiles and runs. Returns the exit code. */
    int run(List<String> arguments) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Set<Module> selected = new LinkedHashSet<>();
        Set<String> classes = new HashSet<>();
        for (String argument : arguments) {
            List<Module> found = named(argument);
            if (found.isEmpty() && !Character.isUpperCase(argument.charAt(0))) {
                System.err.println("teff: --fast takes names of modules and of test classes; there is no " + argument);
                return 2;
            }
            selected.addAll(found);
            if (found.isEmpty()) {
                classes.add(argument);
            }
        }
        for (Module module : modules.all()) {
            boolean isAll = arguments.isEmpty() && isFast(module);
            if (isAll || !classes.isEmpty() && holds(module, classes)) {
                selected.add(module);
            }
        }
        FastBuild build = new FastBuild(root, modules, maven);
        if (!build.resolve() || !build.compile(selected)) {
            return 1;
        }
        double compiled = (System.nanoTime() - start) / 1e9;
        List<String> tests = tests(selected, classes);
        int found = tests.size();
        if (classes.isEmpty()) {
            Set<String> slow = slow(root, arguments.isEmpty());
            tests.removeIf(name -> slow.contains(name.substring(name.lastIndexOf('.') + 1)));
        }
        System.out.printf(Locale.ROOT, "compiled in %.1f s; %d classes of tests%s%n", compiled, tests.size(),
            found == tests.size() ? "" : ", without " + (found - tests.size()) + " of src-test/launcher/slow.txt");
        return execute(build, selected, tests, classes.isEmpty());
    }

    /** Returns whether a module is part of a run of the whole tree. */
    private static boolean isFast(Module module) {
        return module.lane().equals("unit") || module.folder().equals(RULES_MODULE);
    }

    private List<Module> named(String argument) {
        String name = argument.endsWith("/") ? argument.substring(0, argument.length() - 1) : argument;
        Module exact = modules.in(name);
        if (exact != null) {
            return List.of(exact);
        }
        return modules.all().stream()
            .filter(module -> module.folder().endsWith("/" + name) || module.folder().startsWith(name + "/")).toList();
    }

    private static boolean holds(Module module, Set<String> classes) throws IOException {
        for (Path folder : module.tests()) {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    if (files.anyMatch(file -> classes.contains(simpleName(file)))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replaceFirst("\\.(java|class)$", "");
    }

    /** Returns the test classes of the modules, those that took longest last time first. */
    private List<String> tests(Set<Module> selected, Set<String> classes) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (Module module : selected) {
            namesIn(FastBuild.tests(module)).stream()
                .filter(name -> classes.isEmpty() || classes.contains(name.substring(name.lastIndexOf('.') + 1)))
                .filter(name -> !classes.isEmpty() || !module.folder().equals(RULES_MODULE)
                    || RULES.stream().anyMatch(name::startsWith))
                .forEach(found::add);
        }
        Map<String, Double> times = times();
        List<String> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingDouble(name -> -times.getOrDefault(name, 1.0)));
        return sorted;
    }

    /** Returns the full names of the test classes in a folder of compiled classes. */
    static List<String> namesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith("Test.class"))
                .map(file -> folder.relativize(file).toString().replace(File.separatorChar, '.'))
                .map(name -> name.substring(0, name.length() - ".class".length())).sorted().toList();
        }
    }

    /** Returns the simple names of the classes that a run leaves out, of the whole tree or of modules. */
    static Set<String> slow(Path root, boolean isWhole) throws IOException {
        Set<String> slow = new HashSet<>();
        for (String line : Files.readAllLines(root.resolve("src-test/launcher/slow.txt"))) {
            if (isWhole || !line.endsWith(WHOLE)) {
                slow.add(line.strip().replace(WHOLE, ""));
            }
        }
        return slow;
    }

    private Path timesFile() {
        return root.resolve("target/fast/times.txt");
    }

    private Map<String, Double> times() throws IOException {
        Map<String, Double> times = new HashMap<>();
        if (Files.exists(timesFile())) {
            for (String line : Files.readAllLines(timesFile())) {
                String[] words = line.split(" ");
                times.put(words[0], Double.parseDouble(words[1]));
            }
        }
        return times;
    }

    private int execute(FastBuild build, Set<Module> selected, List<String> tests, boolean isTagged)
            throws IOException, InterruptedException {
        List<ClassResult> results = new TestJvms(root, "target/fast", build.classPath(selected),
            List.of(isTagged ? TAGS : "long"), List.of(TestJvms.NATIVE), System.out::println)
            .run(Math.min(JVMS, tests.size()), tests, _ -> { });
        Map<String, Double> times = times();
        results.forEach(result -> times.put(result.name(), result.seconds()));
        List<String> lines = new ArrayList<>();
        times.forEach((name, seconds) -> lines.add(name + " " + seconds));
        Files.write(timesFile(), lines);
        if (!isTagged) {
            Set<String> ran = results.stream().filter(result -> result.tests() > 0).map(ClassResult::name)
                .collect(Collectors.toSet());
            tests.stream().filter(name -> !ran.contains(name)).forEach(name -> System.out.println(name
                + ": no test ran. Tests of the tier long run by ./teff test --long LANE -Dtest="
                + name.substring(name.lastIndexOf('.') + 1)));
        }
        long count = results.stream().mapToLong(ClassResult::tests).sum();
        long failed = results.stream().mapToLong(ClassResult::failed).sum();
        System.out.printf(Locale.ROOT, "%nTests run: %d, Failures: %d, Errors: 0, Skipped: %d%n", count, failed,
            results.stream().mapToLong(ClassResult::skipped).sum());
        return failed == 0 && count > 0 ? 0 : 1;
    }
}
