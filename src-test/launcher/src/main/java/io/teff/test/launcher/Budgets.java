package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each lane of the gate may cost, from {@code src-test/launcher/budgets.txt}: seconds of its classes, and what the
 * lane starts. Times depend on the machine and on the hour, so a lane above its seconds is a warning. Starts do not
 * depend on them, so a lane that starts more than its budget allows has failed.
 *
 * <p>The JVMs of tests note what they start in {@code target/starts} of their module, a folder for each run of the
 * module's tests; {@code Starts} of the test kit counts.
 */
final class Budgets {
    /** The file of the budgets, relative to the root. */
    static final String FILE = "src-test/launcher/budgets.txt";
    /** What is counted, in the order of the file's columns. */
    static final List<String> STARTS = List.of("JVM", "CLUSTER", "DRIVER", "SEED");
    /** What all lanes of the gate may take together, by the clock on two processors. */
    static final long CLOCK_SECONDS = 900;
    /** What the budgets of all lanes may be together: two classes run at a time, beside the compiler. */
    static final long CLASS_SECONDS = 1700;
    private static final String FOLDER = "starts";
    private static final int SLOWEST = 3;

    /** The budget of one lane. */
    record Budget(long seconds, List<Long> starts) {}

    private final Map<String, Budget> budgets;

    private Budgets(Map<String, Budget> budgets) {
        this.budgets = budgets;
    }

    /** Reads the budgets of a repository; one without the file has none. */
    static Budgets read(Path root) throws IOException {
        Path file = root.resolve(FILE);
        return of(Files.exists(file) ? Files.readAllLines(file) : List.of());
    }

    /** Returns the budgets that lines of text state. */
    static Budgets of(List<String> lines) {
        Map<String, Budget> found = new LinkedHashMap<>();
        for (String line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.strip().split(" +");
                if (words.length != STARTS.size() + 2) {
                    throw new IllegalArgumentException(FILE + ": not a lane, seconds and four counts: " + line);
                }
                List<Long> starts = new ArrayList<>();
                for (int i = 2; i < words.length; i++) {
                    starts.add(Long.parseLong(words[i]));
                }
                found.put(words[0], new Budget(Long.parseLong(words[1]), starts));
            }
        }
        return new Budgets(found);
    }

    /** Returns the lanes that have a budget, in the order of the file. */
    List<String> lanes() {
        return List.copyOf(budgets.keySet());
    }

    /** Returns the seconds that a lane may take, or 0 if the lane has no budget. */
    long seconds(String lane) {
        Budget budget = budgets.get(lane);
        return budget == null ? 0 : budget.seconds();
    }

    /** Returns a warning for each lane whose classes took longer than the budget, with the three slowest classes. */
    List<String> warnings(Map<String, Double> seconds, List<ClassReport> reports) {
        List<String> lines = new ArrayList<>();
        seconds.forEach((lane, spent) -> {
            Budget budget = budgets.get(lane);
            if (budget != null && spent > budget.seconds()) {
                List<String> slowest = ClassTimes.slowestFirst(reports).stream()
                    .filter(report -> report.lane().equals(lane)).limit(SLOWEST)
                    .map(report -> String.format(Locale.ROOT, "%s %.0f s", report.name(), report.seconds())).toList();
                lines.add(String.format(Locale.ROOT, "warning: lane %s took %.0f s of its %d s%s%s", lane, spent,
                    budget.seconds(), slowest.isEmpty() ? "" : "; slowest: ", String.join(", ", slowest)));
            }
        });
        return lines;
    }

    /** Returns a line for each count of a lane that is above the lane's budget. */
    List<String> excesses(Map<String, Map<String, Long>> starts) {
        List<String> lines = new ArrayList<>();
        starts.forEach((lane, counts) -> {
            Budget budget = budgets.get(lane);
            for (int i = 0; budget != null && i < STARTS.size(); i++) {
                long count = counts.getOrDefault(STARTS.get(i), 0L);
                if (count > budget.starts().get(i)) {
                    lines.add("lane " + lane + " has started " + count + " of " + STARTS.get(i) + ", and its budget in "
                        + FILE + " is " + budget.starts().get(i));
                }
            }
        });
        return lines;
    }

    /** Returns what the lanes have started, by lane and by kind, from the notes of the tests' JVMs. */
    static Map<String, Map<String, Long>> starts(List<Module> modules) throws IOException {
        Map<String, Map<String, Long>> found = new TreeMap<>();
        for (Module module : modules) {
            for (Path folder : folders(module)) {
                String name = folder.getFileName().toString();
                String lane = name.equals(Lanes.PLAIN) || name.equals(Lanes.SYSTEM) ? name : module.lane();
                Map<String, Long> counts = found.computeIfAbsent(lane, _ -> new TreeMap<>());
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.txt")) {
                    for (Path file : files) {
                        for (String line : Files.readAllLines(file)) {
                            String[] words = line.split(" ");
                            counts.merge(words[0], Long.parseLong(words[1]), Long::sum);
                        }
                    }
                }
            }
        }
        return found;
    }

    /** Deletes the notes of earlier runs. */
    static void deleteStarts(List<Module> modules) throws IOException {
        for (Module module : modules) {
            Gate.delete(module.target().resolve(FOLDER));
        }
    }

    private static List<Path> folders(Module module) throws IOException {
        List<Path> found = new ArrayList<>();
        Path starts = module.target().resolve(FOLDER);
        if (Files.isDirectory(starts)) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(starts, Files::isDirectory)) {
                folders.forEach(found::add);
            }
        }
        return found;
    }
}
