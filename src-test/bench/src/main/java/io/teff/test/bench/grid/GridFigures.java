package io.teff.test.bench.grid;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of all systems, as text and as JSON. */
final class GridFigures extends Rounds<GridKind> {
    private static final int TITLE_WIDTH = 24;
    private static final int WIDTH = 16;
    private static final List<String> COLUMNS = List.of("K/s", "p50 us", "p99 us", "server s/M", "client s/M");
    /** Work of the machine before the servers start, in percent of all processors. */
    static final String BUSY = "busy before %";
    /** With more work of others, figures say little. */
    private static final double BUSY_MAX = 5;
    private static final List<String> SPACE = List.of(BUSY, "start s", "idle %", "RSS empty MiB", "RSS filled MiB",
        "RSS B/entry", "fill s", "fill server s/M");
    private static final List<String> KILL = List.of("calls/s before", "calls/s 10 s", "half rate ms",
        "longest call ms", "scan done ms", "errors", "scan errors", "missing");
    private static final double MANY_THREADS_RATIO = 2;

    private final List<Integer> threads;
    private final int rounds;
    private final String shape;

    GridFigures(List<Integer> threads, int rounds, String shape) {
        super(GridKind.class);
        this.threads = threads;
        this.rounds = rounds;
        this.shape = shape;
    }

    String table(Machine machine) {
        TextTable<GridKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%n%s%nmedian of %d rounds; K/s are entries, s/M seconds of processors per million entries%n%n", shape,
            rounds));
        for (int count : threads) {
            for (GridOp op : GridOp.values()) {
                if (op.isMeasured(count == threads.getFirst())) {
                    text.head(op.title() + (op == GridOp.SCAN ? ", 1 thread" : ", " + count + (count == 1 ? " thread"
                        : " threads")), COLUMNS);
                    text.rows(kinds(), COLUMNS.stream().map(column -> GridPlan.prefix(op, count) + column).toList(),
                        this::cell);
                }
            }
        }
        text.head("start, memory, filling by 4 threads in parts of " + GridTrial.PART, SPACE);
        text.rows(kinds(), SPACE, this::cell);
        text.head("a node is killed under 4 threads that read and replace, and one that scans", KILL);
        text.rows(kinds(), KILL.stream().map(column -> "kill: " + column).toList(), this::cell);
        text.add(warning());
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        bars().forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    /** Returns a line if the machine had other work. */
    private String warning() {
        double most = kinds().stream().mapToDouble(kind -> median(kind, BUSY)).filter(Double::isFinite).max().orElse(0);
        return most <= BUSY_MAX ? "" : String.format(Locale.ROOT, "warning: the machine was busy with other work "
            + "before a system started, %.0f %% of its processors: compare nothing but ratios of one round%n", most);
    }

    private String cell(GridKind kind, String figure) {
        return TextTable.figure(median(kind, figure));
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("shape", shape);
        document.put("rounds", rounds);
        document.putAll(allFields((kind, figure) -> Double.NaN));
        document.put("bars", bars().stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }

    /** Returns the bars with figures: Teff beside Hazelcast, in one round. */
    List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (GridKind kind : List.of(GridKind.TEFF, GridKind.TEFF_MAP)) {
            for (int count : threads) {
                String rate = GridPlan.prefix(GridOp.PUT, count) + "K/s";
                bars.add(new Bar("put " + count + " / Hazelcast, " + kind.id(), ratio(kind, rate, GridKind.HAZELCAST,
                    rate), count == 1 ? 1 : MANY_THREADS_RATIO));
            }
            for (GridKind other : List.of(GridKind.HAZELCAST, GridKind.IGNITE)) {
                bars.add(new Bar("RSS empty / that of " + kind.id() + ", " + other.id(), ratio(other, "RSS empty MiB",
                    kind, "RSS empty MiB"), 1));
            }
        }
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }
}
