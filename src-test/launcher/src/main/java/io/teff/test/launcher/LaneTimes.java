package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ./teff test --times}: the table of times of docs/LANES.md, with the times of the last run of all lanes and the
 * budgets of the gate.
 */
final class LaneTimes {
    /** The row of the whole run, by the clock. */
    static final String CLOCK = "by the clock";
    /** The first line of the table. */
    static final String HEAD = "| Lane | Tests | Budget | Seconds |";

    private static final String UNKNOWN = "?";
    private static final Pattern LANE = Pattern.compile("^lane (\\S+) +\\S+ +(\\d+) tests .* ([0-9.]+) s(?:, .*)?$");
    private static final Pattern WHOLE = Pattern.compile("^all lanes, \\w+: (\\d+) s by the clock$");

    private LaneTimes() {}

    /** Prints the table. Returns the exit code: 1 if no run of all lanes has left its log. */
    static int print(Path root) throws IOException {
        Path log = root.resolve("target/teff-test.log");
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        List<String> table = table(lines, Budgets.read(root));
        if (table.stream().anyMatch(row -> row.contains(UNKNOWN))) {
            System.err.println("teff: " + log + " is not that of a finished run of all lanes");
            return 1;
        }
        table.forEach(System.out::println);
        return 0;
    }

    /** Returns the line with the duration of a run of all lanes. */
    static String wholeRun(Tier tier, long ns) {
        return String.format(Locale.ROOT, "all lanes, %s: %d s by the clock", tier.name().toLowerCase(Locale.ROOT),
            Math.round(ns / 1e9));
    }

    /** Returns the table; unknown figures are question marks. */
    static List<String> table(List<String> log, Budgets budgets) {
        Map<String, String> found = new HashMap<>();
        long tests = 0;
        long clockSeconds = -1;
        for (String line : log) {
            Matcher lane = LANE.matcher(line);
            Matcher whole = WHOLE.matcher(line);
            if (lane.matches()) {
                tests += Long.parseLong(lane.group(2));
                found.put(lane.group(1), figures(Long.parseLong(lane.group(2)), budgets.seconds(lane.group(1)),
                    Math.round(Double.parseDouble(lane.group(3)))));
            } else if (whole.matches()) {
                clockSeconds = Long.parseLong(whole.group(1));
            }
        }
        if (clockSeconds >= 0) {
            found.put(CLOCK, figures(tests, Budgets.CLOCK_SECONDS, clockSeconds));
        }
        List<String> rows = new ArrayList<>(List.of(HEAD, "|---|--:|--:|--:|"));
        List<String> names = new ArrayList<>(Lanes.ORDER);
        names.add(CLOCK);
        for (String name : names) {
            String missing = isLeftOut(name, budgets) ? figures(0, 0, 0) : UNKNOWN + " |";
            rows.add("| " + name + " | " + found.getOrDefault(name, missing));
        }
        return rows;
    }

    /** Returns whether the gate leaves a lane out. */
    private static boolean isLeftOut(String name, Budgets budgets) {
        return !name.equals(CLOCK) && budgets.seconds(name) == 0;
    }

    private static String figures(long tests, long budget, long seconds) {
        return String.format(Locale.ROOT, "%,d | %,d | %,d |", tests, budget, seconds);
    }
}
