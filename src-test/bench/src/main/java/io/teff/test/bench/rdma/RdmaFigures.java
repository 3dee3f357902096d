package io.teff.test.bench.rdma;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;

/** The figures of all contenders, as text, JSON, CSV and pictures. */
final class RdmaFigures extends Rounds<RdmaKind> {
    private static final int TITLE_WIDTH = 32;
    private static final int WIDTH = 11;
    private static final double PERCENT = 100;
    private static final String IN_GUEST = "Contenders on devices ran in a guest: ";

    private final List<RdmaCase> cases;
    private final int rounds;
    private final List<String> leftOut = new ArrayList<>();
    private final CaveatList caveats = new CaveatList();

    /** Sentences, each once. */
    static final class CaveatList {
        private final Set<String> all = new LinkedHashSet<>();

        void add(List<String> sentences) {
            all.addAll(sentences);
        }
    }

    RdmaFigures(List<RdmaCase> cases, int rounds) {
        super(RdmaKind.class);
        this.cases = cases;
        this.rounds = rounds;
    }

    /** Lines about contenders that were left out, to be added to. */
    List<String> leftOut() {
        return leftOut;
    }

    /** What the figures do not say, to be added to. */
    CaveatList caveats() {
        return caveats;
    }

    /** Adds the figures of a JSON document that this class has written elsewhere. */
    void addAll(Map<String, Object> document) {
        if (!(document.get("figures") instanceof Map<?, ?> all)) {
            leftOut.add("the guest did not end well: no figures of contenders on devices");
            add(RdmaKind.TEFF_VERBS, new Outcome(Map.of(), "the guest did not end well"));
            return;
        }
        all.forEach((id, figures) -> addRounds(Named.of(RdmaKind.values(), (String) id).orElseThrow(),
            (Map<?, ?>) figures));
        if (document.get("failures") instanceof Map<?, ?> failures) {
            failures.forEach((id, failure) -> add(Named.of(RdmaKind.values(), (String) id).orElseThrow(),
                new Outcome(Map.of(), "in the guest: " + failure)));
        }
        if (document.get("leftOut") instanceof List<?> lines) {
            lines.forEach(line -> leftOut.add("in the guest: " + line));
        }
        if (document.get("machine") instanceof Map<?, ?> machine) {
            caveats.add(List.of(IN_GUEST + machine.get("kernel") + ", processors: " + machine.get("processors") + "."));
        }
        if (document.get("caveats") instanceof List<?> sentences) {
            caveats.add(sentences.stream().map(String::valueOf).toList());
        }
    }

    private void addRounds(RdmaKind kind, Map<?, ?> figures) {
        final List<Map<String, Double>> sessions = new ArrayList<>();
        figures.forEach((name, figure) -> {
            final List<?> values = (List<?>) Objects.requireNonNull(((Map<?, ?>) figure).get("rounds"));
            for (int i = 0; i < values.size(); i++) {
                if (sessions.size() <= i) {
                    sessions.add(new LinkedHashMap<>());
                }
                sessions.get(i).put((String) name, ((Number) values.get(i)).doubleValue());
            }
        });
        sessions.forEach(session -> add(kind, new Outcome(session, null)));
    }

    // ---- text ----

    String table(Machine machine) {
        final TextTable<RdmaKind> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%nboth ends in one process, of programs in C in two; median of %d rounds%n%n", rounds));
        caveats.all.forEach(sentence -> text.add("caution: " + sentence + '\n'));
        leftOut.forEach(line -> text.add("left out: " + line + '\n'));
        text.add("\n");
        for (RdmaCase what : cases) {
            text.head(what.title(), what.pattern().columns());
            rows(text, what, this::median);
            if (rounds > 1) {
                text.head("half of the distance from the smallest to the largest round, % of the median",
                    what.pattern().columns());
                rows(text, what, (kind, figure) -> PERCENT * spread(kind, figure));
            }
        }
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        RdmaBars.of(this).forEach(bar -> text.add(bar.text()));
        return text.toString();
    }

    private void rows(TextTable<RdmaKind> text, RdmaCase what, ToDoubleBiFunction<RdmaKind, String> value) {
        text.rows(kinds(), what.figures(), (kind, figure) -> TextTable.figure(value.applyAsDouble(kind, figure)));
    }

    // ---- JSON and CSV ----

    String json(Machine machine) throws IOException {
        final Map<String, Object> document = new LinkedHashMap<>();
        document.put("rounds", rounds);
        document.put("caveats", List.copyOf(caveats.all));
        document.put("leftOut", leftOut);
        document.putAll(allFields((kind, figure) -> Double.NaN));
        document.put("bars", RdmaBars.of(this).stream().map(Bar::fields).toList());
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }

    /** Returns a line for each figure: names, the median, the spread. */
    String csv() {
        final StringBuilder text = new StringBuilder("contender,pattern,bytes,figure,median,spread\n");
        for (RdmaCase what : cases) {
            for (RdmaKind kind : kinds()) {
                for (String column : what.pattern().columns()) {
                    final double median = median(kind, what.prefix() + column);
                    if (Double.isFinite(median)) {
                        text.append(String.join(",", kind.id(), what.pattern().id(), "" + what.bytes(), column,
                            "" + median, "" + spread(kind, what.prefix() + column))).append('\n');
                    }
                }
            }
        }
        return text.toString();
    }

    // ---- pictures ----

    /** Returns a picture of a pattern's medians by length, or an empty text if there are not two lengths. */
    String picture(RdmaPattern pattern) {
        final List<RdmaCase> own = cases.stream().filter(it -> it.pattern() == pattern).toList();
        final String column = pattern.isLatency() ? "p50 us" : "MB/s";
        final LinePicture picture = new LinePicture(pattern.title(), "bytes", column);
        for (RdmaKind kind : kinds()) {
            final List<LinePicture.Point> points = new ArrayList<>();
            for (RdmaCase what : own) {
                final double median = median(kind, what.prefix() + column);
                if (median > 0) {
                    points.add(new LinePicture.Point(what.bytes(), median));
                }
            }
            picture.add(kind.title(), points);
        }
        return own.size() < 2 ? "" : picture.svg();
    }
}
