package io.teff.test.bench.disk;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.Rounds;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of all methods, as text and as JSON. */
final class DiskFigures extends Rounds<DiskMethod> {
    static final List<String> COLUMNS = List.of("88 B ns", "64 x 88 B ns", "4 KiB sync p50 us", "4 KiB sync p99 us",
        "128 KiB MB/s", "8 MiB MB/s", "read MB/s", "read+CRC MB/s");

    private static final int TITLE_WIDTH = 28;
    private static final int WIDTH = 19;
    private static final double MEBIBYTE = 1 << 20;
    private static final double PERCENT = 100;

    private final String fileSystem;
    private final long fileBytes;
    private final int rounds;
    private final Map<DiskMethod, String> leftOut = new LinkedHashMap<>();

    DiskFigures(String fileSystem, long fileBytes, int rounds) {
        super(DiskMethod.class);
        this.fileSystem = fileSystem;
        this.fileBytes = fileBytes;
        this.rounds = rounds;
    }

    /** Records why a method has no figures. */
    void leaveOut(DiskMethod kind, String reason) {
        leftOut.put(kind, reason);
    }

    /** Returns the method with the best median of a figure. */
    private Optional<DiskMethod> best(String figure) {
        double sign = figure.endsWith("MB/s") ? -1 : 1;
        return kinds().stream().filter(kind -> Double.isFinite(median(kind, figure)))
            .reduce((a, b) -> sign * median(a, figure) <= sign * median(b, figure) ? a : b);
    }

    private double ratio(DiskMethod kind, String figure) {
        return best(figure).map(best -> ratio(kind, figure, best, figure)).orElse(Double.NaN);
    }

    String table(Machine machine) {
        TextTable<DiskMethod> text = new TextTable<>(TITLE_WIDTH, WIDTH);
        text.add(new ReportHead(machine, kinds()).text() + String.format(Locale.ROOT,
            "%n%s, a file of %,.0f MiB, median of %d rounds%n%n", fileSystem, fileBytes / MEBIBYTE, rounds));
        text.head("ns per record of 88 B; us of a write and its sync; MB/s with the sync at the end", COLUMNS);
        text.rows(kinds(), COLUMNS, (kind, figure) -> TextTable.figure(median(kind, figure)));
        if (rounds > 1) {
            text.head("half of the distance from the smallest to the largest round, % of the median", COLUMNS);
            text.rows(kinds(), COLUMNS, (kind, figure) -> TextTable.figure(PERCENT * spread(kind, figure)));
        }
        text.head("divided by the figure of the best, median of the rounds", COLUMNS);
        text.rows(kinds(), COLUMNS, (kind, figure) -> TextTable.figure(ratio(kind, figure)));
        leftOut.forEach((kind, reason) -> text.add(kind.title() + " is left out: " + reason + '\n'));
        failures().forEach((kind, failure) -> text.add(kind.id() + ' ' + failure + '\n'));
        return text.toString();
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (DiskMethod kind : kinds()) {
            Map<String, Object> own = fields(kind);
            Map<String, Object> ownRatios = new LinkedHashMap<>();
            own.keySet().forEach(figure -> ownRatios.put(figure, ratio(kind, figure)));
            figures.put(kind.id(), own);
            ratios.put(kind.id(), ownRatios);
        }
        Map<String, Object> reasons = new LinkedHashMap<>();
        leftOut.forEach((kind, reason) -> reasons.put(kind.id(), reason));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("fileSystem", fileSystem);
        document.put("fileBytes", fileBytes);
        document.put("rounds", rounds);
        document.put("figures", figures);
        document.put("ratios", ratios);
        document.put("leftOut", reasons);
        document.put("failures", failureFields());
        return new ReportHead(machine, kinds()).json(document);
    }
}
