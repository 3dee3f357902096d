package io.teff.test.bench.report;

import io.teff.test.bench.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * Comparisons as text: the machine and the flags, then for each comparison tables with one line per store: figures,
 * Teff's in relation to them, latencies.
 */
public final class TableReport {
    private static final int TITLE_WIDTH = 34;
    private static final int WIDTH = 9;
    private static final List<String> OPERATIONS =
        List.of("create", "get", "field", "put", "mixed95", "mixed50", "batch", "remove", "iterate");
    private static final List<String> RATIOS =
        List.of("create", "get", "put", "field", "batch", "mixed95", "mixed50");
    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9", "p99.99", "max");

    private final TextTable<StoreKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
    private final Comparison comparison;

    private TableReport(Comparison comparison) {
        this.comparison = comparison;
    }

    /**
     * Writes comparisons.
     *
     * @param machine where they ran
     * @param comparisons the figures
     * @return lines of text
     */
    public static String of(Machine machine, List<Comparison> comparisons) {
        StringBuilder all = new StringBuilder(new ReportHead(machine, Comparison.kinds(comparisons)).text());
        all.append('\n');
        comparisons.forEach(comparison -> all.append(new TableReport(comparison).write()));
        return all.toString();
    }

    private String write() {
        text.add(comparison.title() + "\n\n");
        for (int threads = 1; threads <= 2; threads++) {
            List<String> names = measured(OPERATIONS, threads);
            if (!names.isEmpty()) {
                text.head("million operations per second, " + count(threads), threads == 1
                    ? prepend("B/entry", shown(names)) : shown(names));
                rows(threads == 1 ? prepend("bytes", names) : names, comparison::median);
            }
        }
        for (int threads = 1; threads <= 2; threads++) {
            List<String> names = measured(RATIOS, threads);
            if (comparison.kinds().stream().anyMatch(kind -> hasAny(kind, names, this::ratio))) {
                text.head("Teff's figure divided by the store's, median of the rounds, " + count(threads),
                    shown(names));
                rows(names, this::ratio);
            }
        }
        if (comparison.names().contains("latency p50 us")) {
            List<String> names = new ArrayList<>();
            PERCENTILES.forEach(percentile -> names.add("latency " + percentile + " us"));
            names.add("nothing max us");
            names.add("gc pause max ms");
            names.add("gc pause sum ms");
            text.head("latency in us under a load of a fixed rate; collector pauses of the session in ms",
                List.of("p50", "p99", "p99.9", "p99.99", "max", "idle max", "gc max", "gc sum"));
            rows(names, comparison::median);
        }
        comparison.failures().forEach((kind, failure) -> text.add(kind.title() + ' ' + failure + '\n'));
        text.add("\n");
        return text.toString();
    }

    private List<String> measured(List<String> operations, int threads) {
        return operations.stream().map(name -> name + "/" + threads).filter(comparison.names()::contains).toList();
    }

    private static List<String> shown(List<String> names) {
        return names.stream().map(name -> name.substring(0, name.lastIndexOf('/'))).toList();
    }

    private static String count(int threads) {
        return threads == 1 ? "1 thread" : "2 threads";
    }

    private double ratio(StoreKind kind, String name) {
        return kind == StoreKind.TEFF ? Double.NaN : comparison.ratio(kind, name);
    }

    private static boolean hasAny(StoreKind kind, List<String> names, ToDoubleBiFunction<StoreKind, String> value) {
        return names.stream().anyMatch(name -> !Double.isNaN(value.applyAsDouble(kind, name)));
    }

    private static List<String> prepend(String first, List<String> rest) {
        List<String> all = new ArrayList<>(rest);
        all.addFirst(first);
        return all;
    }

    private void rows(List<String> names, ToDoubleBiFunction<StoreKind, String> value) {
        text.rows(comparison.kinds(), names, (kind, name) -> TextTable.figure(value.applyAsDouble(kind, name)));
    }
}
