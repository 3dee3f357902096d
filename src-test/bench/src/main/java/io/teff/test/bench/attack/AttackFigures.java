package io.teff.test.bench.attack;

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
import java.util.function.ToDoubleBiFunction;

/** The figures of all attacks, as text and as JSON. */
final class AttackFigures extends Rounds<Attack> {
    private static final int TITLE_WIDTH = 34;
    private static final int WIDTH = 16;
    private static final double PERCENT = 100;
    private static final double CUT_US_MAX = 10_000;
    private static final double RISE_MAX = 1.1;

    private final int rounds;
    private final int rate;

    AttackFigures(int rounds, int rate) {
        super(Attack.class);
        this.rounds = rounds;
        this.rate = rate;
    }

    String table(Machine machine) {
        TextTable<Attack> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%nall sides in one process, %d attacks of a flood per second, median of %d rounds%n%n", rate, rounds));
        table(text, "from the last byte that breaks a rule to the end of the link; echo of a plain socket in between",
            CutTrial.FIGURES);
        table(text, "requests of an honest node, without the flood and with it; p99 x: divided, median of the pairs",
            FloodTrial.FIGURES);
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        bars().forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void table(TextTable<Attack> text, String title, List<String> columns) {
        rows(text, title, columns, this::median);
        if (rounds > 1) {
            rows(text, "half of the distance from the smallest to the largest round, % of the median", columns,
                (kind, figure) -> PERCENT * spread(kind, figure));
        }
    }

    private void rows(TextTable<Attack> text, String title, List<String> columns,
                      ToDoubleBiFunction<Attack, String> value) {
        List<Attack> own = kinds().stream().filter(kind -> kind.figures().equals(columns)).toList();
        if (!own.isEmpty()) {
            text.head(title, columns);
            text.rows(own, columns, (kind, figure) -> TextTable.figure(value.applyAsDouble(kind, figure)));
        }
    }

    /** Returns the bars of all attacks with figures. */
    private List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (Attack kind : kinds()) {
            if (!kind.isFlood()) {
                bars.add(new Bar("10 ms / p99, " + kind.title(), CUT_US_MAX / median(kind, "cut p99 us"), 1));
            }
        }
        for (Attack kind : kinds()) {
            if (kind.isFlood() && !kind.isControl()) {
                bars.add(new Bar("1.1 / p99 x, " + kind.title(), RISE_MAX / median(kind, "p99 x"), 1));
                bars.add(new Bar("control / p99 x, " + kind.title(), ratio(kind.control(), "p99 x", kind, "p99 x"),
                    Double.NaN));
            }
        }
        return bars.stream().filter(bar -> Double.isFinite(bar.value())).toList();
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rounds", rounds);
        document.put("rate", rate);
        document.putAll(allFields((kind, figure) -> Double.NaN));
        document.put("bars", bars().stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
