package io.teff.test.bench.collect;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** The figures of all structures, as text and as JSON. */
final class CollectionFigures extends Rounds<CollectionKind> {
    private static final int TITLE_WIDTH = 28;
    private static final int WIDTH = 11;
    private static final double PERCENT = 100;

    private final int entries;
    private final int rounds;
    private final int rate;

    CollectionFigures(int entries, int rounds, int rate) {
        super(CollectionKind.class);
        this.entries = entries;
        this.rounds = rounds;
        this.rate = rate;
    }

    private static CollectionKind first(Family family) {
        return Arrays.stream(CollectionKind.values()).filter(kind -> kind.family() == family).findFirst()
            .orElseThrow();
    }

    /** Teff's figure divided by a structure's; NaN for Teff's first of the family itself. */
    private double ratio(CollectionKind kind, String figure) {
        CollectionKind teff = first(kind.family());
        return kind == teff ? Double.NaN : ratio(teff, figure, kind, figure);
    }

    // ---- text ----

    String table(Machine machine) {
        TextTable<CollectionKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%n%,d entries, median of %d rounds, one thread%n%n", entries, rounds));
        for (Family family : Family.values()) {
            List<CollectionKind> kinds = kinds().stream().filter(kind -> kind.family() == family).toList();
            if (!kinds.isEmpty()) {
                add(text, family, kinds);
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        CollectionBars.of(this).forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void add(TextTable<CollectionKind> text, Family family, List<CollectionKind> kinds) {
        String pace = family == Family.GROWTH ? String.format(Locale.ROOT, " of %,d per second", rate) : "";
        text.head(family.title() + pace + ": " + family.unit(), family.columns());
        rows(text, family, kinds, this::median);
        if (rounds > 1) {
            text.head("half of the distance from the smallest to the largest round, % of the median", family.columns());
            rows(text, family, kinds, (kind, figure) -> PERCENT * spread(kind, figure));
        }
        if (kinds.contains(first(family)) && kinds.size() > 1) {
            text.head("figure of " + first(family).title() + " divided by the structure's, median of the rounds",
                family.columns());
            rows(text, family, kinds, this::ratio);
        }
    }

    private static void rows(TextTable<CollectionKind> text, Family family, List<CollectionKind> kinds,
        ToDoubleBiFunction<CollectionKind, String> value) {
        text.rows(kinds, family.columns(),
            (kind, column) -> TextTable.figure(value.applyAsDouble(kind, Family.figure(column))));
    }

    // ---- JSON ----

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("entries", entries);
        document.put("rounds", rounds);
        document.put("rate", rate);
        document.putAll(allFields(this::ratio));
        document.put("bars", CollectionBars.of(this).stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
