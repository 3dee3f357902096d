package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line per lane: its result, tests and time.
 *
 * <p>Tests are counted from the XML reports of the test runner, so modules may be tested at the same time. Which
 * modules failed or were left out is read from the summary at the end of Maven's output. Lanes with a runner of their
 * own print a line with their counts. A lane without a single test is EMPTY; one whose modules all wait behind a red
 * one is NOT RUN; one of which some do is PARTLY run. A module that failed by tests of the lanes plain or system alone
 * counts for these.
 */
final class LaneTable {
    private static final Pattern MODULE = Pattern.compile(
        "^\\[INFO] (Teff .*?) \\.* ?(SUCCESS|FAILURE|SKIPPED)(?: \\[ *([0-9.:]+) (s|min|h)].*)?$");
    private static final Pattern JCSTRESS = Pattern.compile("^jcstress: (\\d+) passed, (\\d+) failed.*");
    private static final Pattern SOAK = Pattern.compile("^soak: (passed|FAILED) after .*");
    private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>", Pattern.DOTALL);
    private static final String REPORTS = "surefire-reports";
    private static final int HEAD_CHARS = 8192;

    /** Counts of one lane. */
    private static final class Lane {
        private long tests;
        private long failed;
        private long skipped;
        private double seconds;
        private boolean isSeen;
        private boolean hasRunnerFailed;
        private final Set<String> redModules = new HashSet<>();
        private boolean isLeftOut;

        private boolean isRed() {
            return hasRunnerFailed || failed > 0 || !redModules.isEmpty();
        }

        private String word() {
            if (isRed()) {
                return "FAILED";
            }
            if (isLeftOut) {
                return isSeen ? "PARTLY" : "NOT RUN";
            }
            return tests == 0 ? "EMPTY" : "passed";
        }
    }

    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Map<String, Module> byName = new HashMap<>();

    LaneTable(List<Module> modules) {
        modules.forEach(module -> byName.put(module.name(), module));
    }

    private Lane lane(String name) {
        return lanes.computeIfAbsent(name, _ -> new Lane());
    }

    /** Takes a line of output into account. */
    void line(String text) {
        Matcher summary = MODULE.matcher(text);
        Module module = summary.matches() ? byName.get(summary.group(1)) : null;
        if (module != null) {
            module(module, summary.group(2));
            return;
        }
        Matcher jcstress = JCSTRESS.matcher(text);
        if (jcstress.matches()) {
            count("jcstress", Long.parseLong(jcstress.group(1)), Long.parseLong(jcstress.group(2)));
        }
        Matcher soak = SOAK.matcher(text);
        if (soak.matches()) {
            boolean hasPassed = soak.group(1).equals("passed");
            count("soak", hasPassed ? 1 : 0, hasPassed ? 0 : 1);
        }
    }

    private void module(Module module, String result) {
        Lane lane = lane(module.lane());
        if (result.equals("SKIPPED")) {
            lane.isLeftOut = true;
            if (module.hasSystemTests()) {
                lane(Lanes.SYSTEM).isLeftOut = true;
            }
            return;
        }
        lane.isSeen = true;
        if (result.equals("FAILURE")) {
            lane.redModules.add(module.name());
        }
    }

    private void count(String name, long passed, long failed) {
        Lane lane = lane(name);
        lane.isSeen = true;
        lane.tests += passed + failed;
        lane.failed += failed;
    }

    /** Returns whether a lane's module was built and tested, and nothing in it has failed. */
    boolean isReady(String name) {
        Lane lane = lanes.get(name);
        return lane != null && lane.isSeen && !lane.isRed() && !lane.isLeftOut;
    }

    /** Adds the time of a runner that the launcher started itself, and whether it failed; in any thread. */
    synchronized void runner(String name, double seconds, boolean isRed) {
        Lane lane = lane(name);
        lane.isSeen = true;
        lane.hasRunnerFailed |= isRed;
        lane.seconds += seconds;
    }

    /** Returns whether a test or a module has failed. */
    boolean isRed() {
        return lanes.values().stream().anyMatch(Lane::isRed);
    }

    /**
     * Adds the reports that the test runner has left in a module's folder. Must be called after the summary of Maven's
     * output was given to {@link #line}.
     */
    void reports(Module module) throws IOException {
        Map<String, Long> failed = new HashMap<>();
        for (Path folder : folders(module)) {
            String suffix = folder.getFileName().toString().substring(REPORTS.length());
            String name = suffix.equals("-plain") ? Lanes.PLAIN
                : suffix.equals("-system") ? Lanes.SYSTEM : module.lane();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
                for (Path file : files) {
                    failed.merge(name, report(lane(name), file), Long::sum);
                }
            }
        }
        Lane own = lanes.get(module.lane());
        if (own == null || !own.redModules.contains(module.name())) {
            return;
        }
        if (module.hasSystemTests() && !failed.containsKey(Lanes.SYSTEM)) {
            lane(Lanes.SYSTEM).isLeftOut = true;
        }
        long all = failed.values().stream().mapToLong(Long::longValue).sum();
        if (all > 0 && failed.getOrDefault(module.lane(), 0L) == 0) {
            own.redModules.remove(module.name());
        }
    }

    /** Returns the folders of a module's reports. */
    static List<Path> folders(Module module) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(module.target())) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(module.target(), REPORTS + "*")) {
                folders.forEach(found::add);
            }
        }
        return found;
    }

    /** Adds one report to a lane. Returns the number of its failed tests. */
    private static long report(Lane lane, Path file) throws IOException {
        char[] head = new char[HEAD_CHARS];
        int length;
        try (var reader = Files.newBufferedReader(file)) {
            length = Math.max(0, reader.read(head));
        }
        Matcher suite = SUITE.matcher(new String(head, 0, length));
        if (!suite.find()) {
            return 0;
        }
        long failed = Math.round(number(suite.group(), "failures") + number(suite.group(), "errors"));
        lane.isSeen = true;
        lane.tests += Math.round(number(suite.group(), "tests"));
        lane.failed += failed;
        lane.skipped += Math.round(number(suite.group(), "skipped"));
        lane.seconds += number(suite.group(), "time");
        return failed;
    }

    private static double number(String element, String attribute) {
        Matcher found = Pattern.compile("\\s" + attribute + "=\"([0-9.,]+)\"").matcher(element);
        return found.find() ? Double.parseDouble(found.group(1).replace(",", "")) : 0;
    }

    /**
     * Returns the table, and below it the sum of all lanes in the form of the test runner.
     *
     * @param named lanes that were named; others without a test or a failure are left out. Empty for all lanes
     */
    List<String> lines(Set<String> named) {
        List<String> lines = new ArrayList<>();
        Lane sum = new Lane();
        for (String name : Lanes.ORDER) {
            Lane lane = lanes.get(name);
            boolean isExpected = named.isEmpty() || named.contains(name);
            if (lane != null && (isExpected || lane.tests > 0 || lane.isRed())) {
                lines.add(String.format(Locale.ROOT, "lane %-11s %-8s %6d tests %4d failed %4d skipped %8.1f s", name,
                    lane.word(), lane.tests, lane.failed, lane.skipped, lane.seconds));
                sum.tests += lane.tests;
                sum.failed += lane.failed;
                sum.skipped += lane.skipped;
            }
        }
        lines.add("Tests run: " + sum.tests + ", Failures: " + sum.failed + ", Errors: 0, Skipped: " + sum.skipped);
        return lines;
    }
}
