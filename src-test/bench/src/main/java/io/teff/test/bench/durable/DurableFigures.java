package io.teff.test.bench.durable;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** The figures of all stores on a disk, as text and as JSON. */
final class DurableFigures extends Rounds<DurableKind> {
    private static final int TITLE_WIDTH = 16;
    private static final int WIDTH = 14;
    private static final double PERCENT = 100;

    private final String fileSystem;
    private final int entries;
    private final int rounds;

    DurableFigures(String fileSystem, int entries, int rounds) {
        super(DurableKind.class);
        this.fileSystem = fileSystem;
        this.entries = entries;
        this.rounds = rounds;
    }

    /** Teff's figure divided by another store's. */
    private double ratio(DurableKind kind, String figure) {
        return kind == DurableKind.TEFF ? Double.NaN : ratio(DurableKind.TEFF, figure, kind, figure);
    }

    // ---- text ----

    String table(Machine machine) {
        TextTable<DurableKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%n%s, %,d entries, median of %d rounds%n%n", fileSystem, entries, rounds));
        for (DurableShape shape : DurableShape.values()) {
            if (kinds().stream().anyMatch(kind -> shape.columns().stream()
                .anyMatch(figure -> Double.isFinite(median(kind, figure))))) {
                add(text, shape);
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        DurableBars.of(this).forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void add(TextTable<DurableKind> text, DurableShape shape) {
        text.head(shape.title(), shape.columns());
        rows(text, shape, this::median);
        if (rounds > 1) {
            text.head("half of the distance from the smallest to the largest round, % of the median", shape.columns());
            rows(text, shape, (kind, figure) -> PERCENT * spread(kind, figure));
        }
        if (kinds().stream().anyMatch(kind -> shape.columns().stream()
            .anyMatch(figure -> Double.isFinite(ratio(kind, figure))))) {
            text.head("Teff's figure divided by the store's, median of the rounds", shape.columns());
            rows(text, shape, this::ratio);
        }
    }

    private void rows(TextTable<DurableKind> text, DurableShape shape,
        ToDoubleBiFunction<DurableKind, String> value) {
        text.rows(kinds(), shape.columns(), (kind, figure) -> TextTable.figure(value.applyAsDouble(kind, figure)));
    }

    // ---- JSON ----

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("fileSystem", fileSystem);
        document.put("entries", entries);
        document.put("rounds", rounds);
        document.putAll(allFields(this::ratio));
        document.put("bars", DurableBars.of(this).stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
