package io.teff.test.bench.net;

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

/** The figures of all ways to send messages, as text and as JSON. */
final class NetFigures extends Rounds<NetKind> {
    private static final int TITLE_WIDTH = 32;
    private static final int WIDTH = 12;
    private static final double PERCENT = 100;

    private final List<NetCase> cases;
    private final int rounds;

    NetFigures(List<NetCase> cases, int rounds) {
        super(NetKind.class);
        this.cases = cases;
        this.rounds = rounds;
    }

    String table(Machine machine) {
        TextTable<NetKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%nboth ends in one process, median of %d rounds%n%n", rounds));
        for (NetCase what : cases) {
            text.head(what.title(), what.mode().columns());
            rows(text, what, this::median);
            if (rounds > 1) {
                text.head("half of the distance from the smallest to the largest round, % of the median",
                    what.mode().columns());
                rows(text, what, (kind, figure) -> PERCENT * spread(kind, figure));
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        NetBars.of(this).forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void rows(TextTable<NetKind> text, NetCase what, ToDoubleBiFunction<NetKind, String> value) {
        text.rows(kinds(), what.figures(), (kind, figure) -> TextTable.figure(value.applyAsDouble(kind, figure)));
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rounds", rounds);
        document.putAll(allFields((kind, figure) -> Double.NaN));
        document.put("bars", NetBars.of(this).stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
