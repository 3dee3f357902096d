package io.teff.test.launcher;

import java.io.IOException;
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
 * counts for these. A lane of which all modules were green with the same inputs is unchanged.
 */
final class LaneTable {
    private static final Pattern MODULE = Pattern.compile(
        "^\\[INFO] (Teff .*?) \\.* ?(SUCCESS|FAILURE|SKIPPED)(?: \\[ *([0-9.:]+) (s|min|h)].*)?$");
    /** Surefire's report of a JVM of tests that did not end by itself. */
    private static final String LOST_JVM = "[ERROR] There was a timeout or other error in the fork";
    private static final Pattern JCSTRESS = Pattern.compile("^jcstress: (\\d+) passed, (\\d+) failed.*");
    private static final Pattern SOAK = Pattern.compile("^soak: (passed|FAILED) after .*");

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
        private int modules;
        private int unchangedModules;

        private boolean isUnchanged() {
            return unchangedModules > 0 && unchangedModules == modules;
        }

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
            if (isUnchanged() && tests == 0) {
                return "unchanged";
            }
            return tests == 0 ? "EMPTY" : "passed";
        }

        private String more() {
            return unchangedModules == 0 || isUnchanged() ? ""
                : ", unchanged: " + unchangedModules + " of " + modules + " modules";
        }
    }

    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Map<String, Module> byName = new HashMap<>();
    private final Set<Module> succeeded = new HashSet<>();
    private boolean hasLostJvm;

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
        hasLostJvm |= text.startsWith(LOST_JVM);
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
        } else {
            succeeded.add(module);
        }
    }

    /** Takes into account which modules a run leaves out because they are as they were when they were green. */
    void unchanged(Unchanged unchanged) {
        for (Module module : unchanged.modules()) {
            for (String name : module.lanes()) {
                lane(name).modules++;
                lane(name).unchangedModules += unchanged.contains(module) ? 1 : 0;
            }
        }
    }

    /** Returns whether all modules of a lane are left out because they are unchanged. */
    boolean isUnchanged(String name) {
        return lane(name).isUnchanged();
    }

    /** Returns whether a module was built, and all its tests have passed. */
    boolean isGreen(Module module) {
        Lane lane = lane(module.lane());
        boolean isRunApart = module.lane().equals("jcstress") || module.lane().equals("soak");
        return succeeded.contains(module) && !lane.hasRunnerFailed && (!isRunApart || lane.tests > 0 && !lane.isRed());
    }

    /** Returns the seconds of each lane. */
    Map<String, Double> seconds() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        lanes.forEach((name, lane) -> seconds.put(name, lane.seconds));
        return seconds;
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
        return hasLostJvm || lanes.values().stream().anyMatch(Lane::isRed);
    }

    /**
     * Adds the reports that the test runner has left in the folders of modules, and returns them. Must be called after
     * the summary of Maven's output was given to {@link #line}.
     */
    List<ClassReport> reports(List<Module> modules) throws IOException {
        List<ClassReport> all = new ArrayList<>();
        for (Module module : modules) {
            all.addAll(reports(module));
        }
        return all;
    }

    private List<ClassReport> reports(Module module) throws IOException {
        List<ClassReport> reports = ClassReport.of(module);
        Map<String, Long> failed = new HashMap<>();
        for (ClassReport report : reports) {
            Lane lane = lane(report.lane());
            lane.isSeen = true;
            lane.tests += report.tests();
            lane.failed += report.failed();
            lane.skipped += report.skipped();
            lane.seconds += report.seconds();
            failed.merge(report.lane(), report.failed(), Long::sum);
        }
        if (failed.values().stream().anyMatch(count -> count > 0)) {
            succeeded.remove(module);                           // its unit tests run when Maven has built it
        }
        Lane own = lanes.get(module.lane());
        if (own != null && own.redModules.contains(module.name())) {
            if (module.hasSystemTests() && !failed.containsKey(Lanes.SYSTEM)) {
                lane(Lanes.SYSTEM).isLeftOut = true;
            }
            long sum = failed.values().stream().mapToLong(Long::longValue).sum();
            if (sum > 0 && failed.getOrDefault(module.lane(), 0L) == 0) {
                own.redModules.remove(module.name());
            }
        }
        return reports;
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
                lines.add(String.format(Locale.ROOT, "lane %-11s %-9s %6d tests %4d failed %4d skipped %8.1f s%s", name,
                    lane.word(), lane.tests, lane.failed, lane.skipped, lane.seconds, lane.more()));
                sum.tests += lane.tests;
                sum.failed += lane.failed;
                sum.skipped += lane.skipped;
            }
        }
        lines.add("Tests run: " + sum.tests + ", Failures: " + sum.failed + ", Errors: 0, Skipped: " + sum.skipped);
        return lines;
    }
}
