package io.teff.test.bench.report;

import io.teff.test.bench.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A comparison as text: one line per store, in three tables. */
public final class TableReport {
    private static final int TITLE_WIDTH = 34;
    private static final int WIDTH = 9;
    private static final List<String> OPERATIONS =
        List.of("create", "get", "field", "put", "mixed95", "mixed50", "batch", "remove", "iterate");
    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9", "p99.99", "max");

    private final StringBuilder text = new StringBuilder();
    private final Comparison comparison;

    private TableReport(Comparison comparison) {
        this.comparison = comparison;
    }

    /**
     * Writes a comparison.
     *
     * @param comparison the figures
     * @return lines of text
     */
    public static String of(Comparison comparison) {
        return new TableReport(comparison).write();
    }

    private String write() {
        text.append(comparison.title()).append("\n\n");
        for (int threads = 1; threads <= 2; threads++) {
            String suffix = "/" + threads;
            List<String> names = OPERATIONS.stream().map(name -> name + suffix)
                .filter(comparison.names()::contains).toList();
            if (!names.isEmpty()) {
                head("million operations per second, " + (threads == 1 ? "1 thread" : "2 threads"), threads == 1
                    ? prepend("B/entry", names) : names);
                rows(threads == 1 ? prepend("bytes", names) : names);
            }
        }
        if (comparison.names().contains("latency p50 us")) {
            List<String> names = new ArrayList<>();
            PERCENTILES.forEach(percentile -> names.add("latency " + percentile + " us"));
            names.add("nothing max us");
            names.add("gc pause max ms");
            names.add("gc pause sum ms");
            head("latency in us under a load of a fixed rate; collector pauses of the session in ms",
                List.of("p50", "p99", "p99.9", "p99.99", "max", "idle max", "gc max", "gc sum"));
            rows(names);
        }
        comparison.failures().forEach((kind, failure) -> text.append(kind.title()).append(' ').append(failure)
            .append('\n'));
        return text.append('\n').toString();
    }

    private static List<String> prepend(String first, List<String> rest) {
        List<String> all = new ArrayList<>(rest);
        all.addFirst(first);
        return all;
    }

    private void head(String title, List<String> names) {
        text.append(title).append('\n').append(" ".repeat(TITLE_WIDTH));
        for (String name : names) {
            String shown = name.replaceAll("/[12]$", "");
            text.append(String.format("%" + WIDTH + "s", shown));
        }
        text.append('\n');
    }

    private void rows(List<String> names) {
        for (StoreKind kind : comparison.kinds()) {
            if (names.stream().allMatch(name -> Double.isNaN(comparison.median(kind, name)))) {
                continue;
            }
            text.append(String.format("%-" + TITLE_WIDTH + "s", kind.title()));
            for (String name : names) {
                text.append(String.format("%" + WIDTH + "s", figure(comparison.median(kind, name))));
            }
            text.append('\n');
        }
        text.append('\n');
    }

    private static String figure(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f"
            : "%.2f", value);
    }
}
