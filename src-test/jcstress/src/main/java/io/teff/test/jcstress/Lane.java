package io.teff.test.jcstress;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the memory-order tests in a JVM of their own and judges them: a good test must show no forbidden outcome in any
 * configuration, and a weakened twin must show a forbidden outcome in at least one configuration.
 *
 * <p>In the gate and in the full form each test and each twin has one configuration, the optimizing compiler alone,
 * which is enough to catch most twins. A twin that was not caught has a round in the interpreter, then one with all
 * compilers, and then one with all configurations, before it counts as a survivor, because a race needs luck. The long
 * form begins with all compilers for each test. The gate has three tests and their twins: of a lock word, a version
 * word and a ring of bytes; the full form has all. A test that did not run, timed out or crashed is a failure of either
 * kind. The harness' own exit code is not used: it is non-zero whenever a twin does what it should.
 *
 * <p>Usage: {@code Lane [--gate|--full|--long] [regular expression of test names]}, in the folder that takes the
 * results; without an option, or with {@code --full}, all tests run in the full form. The property {@code teff.long}
 * means the same as {@code --long}.
 */
public final class Lane {
    private static final String TWIN_SUFFIX = "WeakenedTwin";

    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /** Two iterations of a quarter of a second, one stress seed, and no heap touched in advance, which takes longer. */
    private static final List<String> BRIEF = List.of(
            "-m", "quick", "-f", "1", "-fsm", "1", "-iters", "2", "-time", "250", "-sc", "false", "-pth", "false");

    /** The optimizing compiler alone: about a second and a half per test. */
    private static final List<String> ONE = and(BRIEF, "-jvmArgs", NATIVE + " -XX:-TieredCompilation");

    /** The interpreter alone, whose accesses are far apart, and more samples: about five seconds per test. */
    private static final List<String> INTERPRETED = List.of(
            "-m", "quick", "-f", "1", "-fsm", "1", "-iters", "6", "-time", "500", "-sc", "false", "-pth", "false",
            "-c", "2", "-jvmArgs", NATIVE + " -Xint");

    /** All compilers, and more samples: about twenty seconds per test. */
    private static final List<String> LONGER = List.of(
            "-m", "quick", "-f", "1", "-fsm", "1", "-iters", "5", "-time", "1000", "-sc", "false", "-pth", "false",
            "-jvmArgsPrepend", NATIVE);

    /** Each actor compiled by each compiler, and more samples: about a minute per test. */
    private static final List<String> LONG = List.of(
            "-m", "quick", "-f", "1", "-fsm", "2", "-iters", "5", "-time", "1000", "-sc", "true",
            "-jvmArgsPrepend", NATIVE);

    /** The tests of the gate, with their twins. */
    private static final Pattern GATE = Pattern.compile("\\.(?:LockStress|SeqlockStress|RingStress)(?:WeakenedTwin)?$");

    private static final long ROUND_MINUTES_MAX = 60;

    private final Path folder;
    private final List<String> problems = new ArrayList<>();

    private Lane(Path folder) {
        this.folder = folder;
    }

    /** Runs the lane in the current folder; exits with 0 if all tests pass and all twins are caught. */
    public static void main(String[] args) throws Exception {
        boolean isLong = Boolean.getBoolean("teff.long") || List.of(args).contains("--long");
        boolean isGate = List.of(args).contains("--gate");
        String filter = Stream.of(args).filter(arg -> !arg.startsWith("--")).findFirst().orElse("");
        Lane lane = new Lane(Path.of("lane").toAbsolutePath());
        System.exit(lane.run(isLong, isGate ? GATE.asPredicate().and(name(filter)) : name(filter)) ? 0 : 1);
    }

    private static Predicate<String> name(String filter) {
        return Pattern.compile(filter).asPredicate();
    }

    private static List<String> and(List<String> options, String... more) {
        return Stream.concat(options.stream(), Stream.of(more)).toList();
    }

    private boolean run(boolean isLong, Predicate<String> isWanted) throws Exception {
        Collection<String> names = new TreeSet<>(TestList.tests());
        names.removeIf(isWanted.negate());
        if (names.isEmpty()) {
            System.out.println("jcstress: no test has such a name");
            return false;
        }
        TreeMap<String, Verdict> verdicts = new TreeMap<>();
        if (isLong) {
            verdicts.putAll(round("all", LONGER, names));
        } else {
            verdicts.putAll(round("one", ONE, names));
            verdicts.putAll(round("twins-again", INTERPRETED, survivors(verdicts)));
            verdicts.putAll(round("twins-longer", LONGER, survivors(verdicts)));
        }
        verdicts.putAll(round("twins-longest", LONG, survivors(verdicts)));
        return report(verdicts);
    }

    /** Returns the twins that were not caught so far. */
    private static List<String> survivors(TreeMap<String, Verdict> verdicts) {
        return verdicts.keySet().stream()
                .filter(name -> isTwin(name) && !verdicts.get(name).isExpected())
                .toList();
    }

    private boolean report(TreeMap<String, Verdict> verdicts) {
        verdicts.values().forEach(verdict -> System.out.println(verdict.line()));
        problems.forEach(System.out::println);
        long twins = verdicts.keySet().stream().filter(Lane::isTwin).count();
        long failed = verdicts.values().stream().filter(verdict -> !verdict.isExpected()).count();
        System.out.println("jcstress: " + (verdicts.size() - failed) + " passed, " + failed + " failed ("
                + (verdicts.size() - twins) + " tests, " + twins + " weakened twins; details in " + folder + ")");
        return failed == 0 && problems.isEmpty();
    }

    /** Runs the named tests in a child JVM and reads its results file. */
    private TreeMap<String, Verdict> round(String title, List<String> options, Collection<String> names)
            throws Exception {
        Path home = freshFolder(folder.resolve(title));
        if (names.isEmpty()) {
            return new TreeMap<>();
        }
        System.out.println("jcstress: " + title + ", " + names.size() + " to run");
        final long start = System.nanoTime();
        Path output = home.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                NATIVE, "--sun-misc-unsafe-memory-access=allow",
                "-classpath", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main"));
        command.addAll(options);
        command.addAll(List.of("-t", names.stream().map(Pattern::quote).collect(Collectors.joining("|", "^(", ")$"))));
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(ROUND_MINUTES_MAX, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            problems.add("jcstress: the " + title + " round took more than " + ROUND_MINUTES_MAX + " min; " + output);
        }
        TreeMap<String, Verdict> verdicts = new TreeMap<>();
        names.forEach(name -> verdicts.put(name, new Verdict(name)));
        for (TestResult result : results(home)) {
            verdicts.get(result.getName()).add(result);
        }
        System.out.println("jcstress: " + title + " took " + (System.nanoTime() - start) / 1_000_000_000 + " s");
        if (verdicts.values().stream().allMatch(verdict -> verdict.runs == 0)) {
            System.out.print(Files.readString(output));
        }
        return verdicts;
    }

    private static Collection<TestResult> results(Path home) throws Exception {
        InProcessCollector collected = new InProcessCollector();
        File[] files = home.toFile().listFiles((dir, name) -> name.matches("jcstress-results-.*\\.bin\\.gz"));
        for (File file : files == null ? new File[0] : files) {
            DiskReadCollector reader = new DiskReadCollector(file.getPath(), collected);
            reader.dump();
            reader.close();
        }
        return collected.getTestResults();
    }

    private static Path freshFolder(Path home) throws IOException {
        if (Files.exists(home)) {
            try (Stream<Path> old = Files.walk(home)) {
                for (Path path : old.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(home);
    }

    private static boolean isTwin(String name) {
        return name.endsWith(TWIN_SUFFIX);
    }

    /** The outcomes of one test over all its configurations. */
    private static final class Verdict {
        private final String name;
        private int runs;
        private int forbidden;
        private int broken;
        private long samples;
        private String sample = "";

        Verdict(String name) {
            this.name = name;
        }

        void add(TestResult result) {
            runs++;
            samples += result.getTotalCount();
            if (result.status() != Status.NORMAL) {
                broken++;
                sample = result.status() + " " + String.join(" ", result.getMessages());
            } else if (!result.grading().isPassed) {
                forbidden++;
                sample = String.join("; ", result.grading().failureMessages);
            }
        }

        boolean isExpected() {
            return runs > 0 && broken == 0 && isTwin(name) == forbidden > 0;
        }

        String line() {
            String word = isExpected() ? "ok    " : "FAILED";
            String kind = isTwin(name) ? "caught in " : "forbidden outcomes in ";
            String seen = kind + forbidden + " of " + runs + " configurations, " + samples + " samples";
            String detail = isExpected() ? "" : ", broken " + broken + "  " + sample;
            return word + " " + name + "  " + seen + detail;
        }
    }
}
