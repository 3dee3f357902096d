package io.teff.test.bench.cluster;

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

/** The figures of a client, as text and as JSON. */
final class ClusterFigures extends Rounds<ClusterKind> {
    private static final int TITLE_WIDTH = 24;
    private static final int WIDTH = 12;
    private static final List<String> COLUMNS = List.of("p50 us", "p99 us", "K/s", "cpu us", "alloc B");
    private static final double GET_RATIO = 2.5;
    private static final double PUT_RATIO = 4;
    private static final double THOUSAND = 1e3;

    private final List<Integer> threads;
    private final int rounds;
    private final int bytes;

    ClusterFigures(List<Integer> threads, int bytes, int rounds) {
        super(ClusterKind.class);
        this.threads = threads;
        this.bytes = bytes;
        this.rounds = rounds;
    }

    String table(Machine machine) {
        TextTable<ClusterKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%nchunks of %d B, client and peers in one process, median of %d rounds; K/s, cpu and alloc per chunk%n%n",
            bytes, rounds));
        for (int count : threads) {
            for (ClusterOp op : ClusterOp.values()) {
                text.head(op.title() + ", " + count + (count == 1 ? " thread" : " threads"), COLUMNS);
                text.rows(kinds(), COLUMNS.stream().map(column -> ClusterPlan.prefix(op, count) + column).toList(),
                    (kind, figure) -> TextTable.figure(median(kind, figure)));
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        bars().forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rounds", rounds);
        document.putAll(allFields((kind, figure) -> Double.NaN));
        document.put("bars", bars().stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }

    /** Returns the bars with figures. */
    List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (ClusterKind kind : kinds()) {
            bars.add(latency(kind, ClusterOp.GET, GET_RATIO));
            bars.add(latency(kind, ClusterOp.PUT_BACKED, PUT_RATIO));
            for (ClusterOp op : List.of(ClusterOp.BATCH_GET, ClusterOp.BATCH_PUT, ClusterOp.BATCH_CREATE)) {
                for (int count : threads) {
                    bars.add(new Bar(op.id() + ' ' + count + ", M chunks/s, " + kind.id(),
                        median(kind, ClusterPlan.prefix(op, count) + "K/s") / THOUSAND, 1));
                }
            }
        }
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }

    private Bar latency(ClusterKind kind, ClusterOp op, double most) {
        return new Bar(most + " x p50 of plain / p50 of " + op.id() + ", " + kind.id(), most * ratio(kind,
            ClusterPlan.prefix(ClusterOp.PING, 1) + "p50 us", kind, ClusterPlan.prefix(op, 1) + "p50 us"), 1);
    }
}
