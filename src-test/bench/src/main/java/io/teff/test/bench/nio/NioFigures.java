package io.teff.test.bench.nio;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** The figures of all providers, as text and as JSON. */
final class NioFigures extends Rounds<NioKind> {
    private static final int TITLE_WIDTH = 26;
    private static final int WIDTH = 11;
    private static final double PERCENT = 100;

    private final List<NioCase> cases;
    private final int rounds;

    NioFigures(List<NioCase> cases, int rounds) {
        super(NioKind.class);
        this.cases = cases;
        this.rounds = rounds;
    }

    String table(Machine machine) {
        final TextTable<NioKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%nboth ends in one process, median of %d rounds; a time is a round trip, and \"cpu\" is processor time of "
            + "the process per round trip or message%n%n", rounds));
        for (NioCase what : cases) {
            text.head(what.title(), what.mode().columns());
            rows(text, what, this::median);
            if (rounds > 1) {
                text.head("half of the distance from the smallest to the largest round, % of the median",
                    what.mode().columns());
                rows(text, what, (kind, figure) -> PERCENT * spread(kind, figure));
            }
            if (what.mode() == NioMode.IDLE) {
                text.add(NioBars.PUBLISHED + "\n\n");
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        NioBars.of(this).forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void rows(TextTable<NioKind> text, NioCase what, ToDoubleBiFunction<NioKind, String> value) {
        text.rows(kinds(), what.figures(), (kind, figure) -> TextTable.figure(value.applyAsDouble(kind, figure)));
    }

    String json(Machine machine) throws IOException {
        final Map<String, Object> document = new LinkedHashMap<>();
        document.put("rounds", rounds);
        document.put("published", NioBars.PUBLISHED);
        document.putAll(allFields((kind, figure) -> kind == NioKind.JDK ? Double.NaN
            : ratio(kind, figure, NioKind.JDK, figure)));
        document.put("bars", NioBars.of(this).stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
