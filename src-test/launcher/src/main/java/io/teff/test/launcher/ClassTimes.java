package io.teff.test.launcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * {@code ./teff test --times --classes}: the time of each class of tests in the reports of the last run, the slowest
 * first.
 */
final class ClassTimes {
    private ClassTimes() {}

    /** Prints the table. Returns the exit code: 1 if no run has left reports. */
    static int print(Modules modules) throws IOException {
        List<ClassReport> reports = new ArrayList<>();
        for (Module module : modules.all()) {
            reports.addAll(ClassReport.of(module));
        }
        if (reports.isEmpty()) {
            System.err.println("teff: there are no reports of tests; run ./teff test first");
            return 1;
        }
        lines(reports).forEach(System.out::println);
        return 0;
    }

    /** Returns a line for each class, the slowest class first, and the sum. */
    static List<String> lines(List<ClassReport> reports) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format("%9s %6s  %-11s %-24s %s", "seconds", "tests", "lane", "module", "class"));
        for (ClassReport report : slowestFirst(reports)) {
            lines.add(String.format(Locale.ROOT, "%9.1f %6d  %-11s %-24s %s", report.seconds(), report.tests(),
                report.lane(), report.module(), report.name()));
        }
        lines.add(String.format(Locale.ROOT, "%9.1f %6d  in %d classes",
            reports.stream().mapToDouble(ClassReport::seconds).sum(),
            reports.stream().mapToLong(ClassReport::tests).sum(), reports.size()));
        return lines;
    }

    /** Returns the reports, those of the slowest classes first. */
    static List<ClassReport> slowestFirst(List<ClassReport> reports) {
        return reports.stream().sorted(Comparator.comparingDouble(ClassReport::seconds).reversed()).toList();
    }
}
