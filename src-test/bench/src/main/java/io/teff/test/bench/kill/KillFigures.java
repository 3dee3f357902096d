package io.teff.test.bench.kill;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The figures of kills, as text and as JSON. For one thread. */
final class KillFigures {
    private static final double READABLE_MS = 3_000;
    private static final double METADATA_MS = 2_500;
    private static final double GAP_MS = 100;
    private static final double READS_RATIO = 2;
    private static final double CALL_MS = 1_000;
    private static final double HALF_MS = 3_000;
    private static final double SCAN_RATIO = 2;
    private static final double MIB = 1 << 20;

    private final int chunks;
    private final int bytes;
    private final int peers;
    private final int threads;
    private final int rate;
    private final Map<KillMode, List<KillTimes>> kills = new EnumMap<>(KillMode.class);
    private final List<LeaderTimes> leaders = new ArrayList<>();
    private final List<RefillTimes> refills = new ArrayList<>();
    private final List<RateTimes> rates = new ArrayList<>();
    private final Map<String, Map<String, Double>> idle = new LinkedHashMap<>();
    private final Map<String, Long> resident = new LinkedHashMap<>();
    private double createdSeconds;
    private double residentPerChunk = Double.NaN;
    private double diskPerChunk = Double.NaN;

    KillFigures(int chunks, int bytes, int peers, int threads, int rate) {
        this.chunks = chunks;
        this.bytes = bytes;
        this.peers = peers;
        this.threads = threads;
        this.rate = rate;
    }

    // ---- adding ----

    void add(KillMode mode, KillTimes times) {
        kills.computeIfAbsent(mode, _ -> new ArrayList<>()).add(times);
    }

    /** Adds a kill of the leading superpeer. */
    void add(LeaderTimes times) {
        leaders.add(times);
    }

    /** Adds a kill after which new backups are made. */
    void add(RefillTimes times) {
        refills.add(times);
    }

    /** Adds a kill under clients that call as fast as they can. */
    void add(RateTimes times) {
        rates.add(times);
    }

    /** Adds the percentages of a processor that idle processes have used. */
    void idle(String state, Map<String, Double> percent) {
        idle.put(state, percent);
    }

    void created(double seconds) {
        createdSeconds = seconds;
    }

    /** Adds resident sets and files before and after the chunks were created. */
    void space(Map<String, Long> residentBefore, Map<String, Long> residentAfter, long diskBefore, long diskAfter) {
        resident.putAll(residentAfter);
        long grown = residentAfter.entrySet().stream().filter(it -> it.getKey().startsWith("peer"))
            .mapToLong(it -> it.getValue() - residentBefore.getOrDefault(it.getKey(), 0L)).sum();
        residentPerChunk = (double) grown / count();
        diskPerChunk = (double) (diskAfter - diskBefore) / count();
    }

    private long count() {
        return (long) chunks * peers;
    }

    /** Returns whether every chunk was right. */
    boolean isRight() {
        return kills.values().stream().flatMap(List::stream).allMatch(times -> times.wrong() == 0)
            && Stream.of(leaders, refills, rates).flatMap(List::stream).allMatch(times -> times.wrong() == 0);
    }

    /** Returns the bars. */
    List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        kills.forEach((mode, all) -> bars.add(new Bar("3 s / worst time until all is read, " + mode.id(),
            READABLE_MS / Math.max(KillTimes.worst(all, KillTimes::lastMs), KillTimes.worst(all, KillTimes::readMs)),
            1)));
        if (!leaders.isEmpty()) {
            bars.add(new Bar("2.5 s / worst time until the metadata is back, leader", METADATA_MS
                / KillTimes.worst(leaders, LeaderTimes::committedMs), 1));
            bars.add(new Bar("100 ms / longest gap between calls, leader", GAP_MS
                / KillTimes.worst(leaders, LeaderTimes::gapMs), 1));
        }
        if (!refills.isEmpty()) {
            bars.add(new Bar("2 x p99 of reads at rest / while backups are made, median", READS_RATIO
                / KillTimes.median(refills, RefillTimes::ratio), 1));
        }
        if (!rates.isEmpty()) {
            bars.add(new Bar("1 s / longest call, rate, median", CALL_MS
                / KillTimes.median(rates, RateTimes::longestMs), 1));
            bars.add(new Bar("3 s / time until half of the rate, median", HALF_MS
                / KillTimes.median(rates, RateTimes::halfMs), 1));
            bars.add(new Bar("2 x scan before / longest scan after, median", SCAN_RATIO
                / KillTimes.median(rates, RateTimes::scanRatio), 1));
        }
        return bars;
    }

    // ---- text ----

    String table(Machine machine) {
        StringBuilder text = new StringBuilder(new ReportHead(machine).text());
        text.append(String.format(Locale.ROOT, "%n%d peers with %,d chunks of %d B each, two backups; load: %d "
            + "threads, %,d calls/s, half updates at BACKED, half reads%n", peers, chunks, bytes, threads, rate));
        text.append(String.format(Locale.ROOT, "created in %.0f s; per chunk: %s B of resident memory in all peers, "
            + "%s B of files in all nodes%n%n", createdSeconds, TextTable.figure(residentPerChunk),
            TextTable.figure(diskPerChunk)));
        text.append(processes());
        kills.forEach((mode, all) -> text.append(kills(mode, all)));
        if (!leaders.isEmpty()) {
            text.append(steps(KillMode.LEADER.title() + " is killed: milliseconds", LeaderTimes.STEPS, leaders));
        }
        if (!refills.isEmpty()) {
            text.append(steps(KillMode.REFILL.title(), RefillTimes.STEPS, refills));
        }
        if (!rates.isEmpty()) {
            text.append(steps(KillMode.RATE.title(), RateTimes.STEPS, rates));
            rates.forEach(it -> text.append(it.node()).append(", calls/s of each half second: ").append(it.curve())
                .append('\n'));
            text.append('\n');
        }
        bars().forEach(bar -> text.append(bar.text()));
        text.append(isRight() ? "every chunk was right\n" : "CHUNKS WERE WRONG\n");
        return text.toString();
    }

    private String processes() {
        StringBuilder text = new StringBuilder("idle processes, % of a processor; resident memory with all chunks\n");
        text.append(String.format("%-14s", ""));
        idle.keySet().forEach(state -> text.append(String.format("%10s", state)));
        text.append(String.format("%14s%n", "resident MiB"));
        resident.forEach((name, size) -> {
            text.append(String.format("%-14s", name));
            idle.values().forEach(percent -> text.append(String.format("%10s",
                TextTable.figure(percent.getOrDefault(name, Double.NaN)))));
            text.append(String.format("%14s%n", TextTable.figure(size / MIB)));
        });
        return text.append('\n').toString();
    }

    private static String kills(KillMode mode, List<KillTimes> all) {
        StringBuilder text = new StringBuilder(mode.title()).append(": milliseconds after the kill\n");
        text.append(String.format("%-10s%12s%7s", "", "chunks", "zones"));
        KillTimes.STEPS.keySet().forEach(name -> text.append(String.format("%14s", name)));
        text.append(String.format("%10s%7s%n", "updates", "wrong"));
        for (KillTimes times : all) {
            text.append(String.format(Locale.ROOT, "%-10s%,12d%7d", times.peer(), times.chunks(), times.zones()));
            KillTimes.STEPS.values().forEach(step -> text.append(cell(step.applyAsDouble(times))));
            text.append(String.format("%10d%7d%n", times.updates(), times.wrong()));
        }
        text.append(line("median", step -> KillTimes.median(all, step)));
        text.append(line("worst", step -> KillTimes.worst(all, step)));
        return text.append('\n').toString();
    }

    private static <T extends Steps> String steps(String title, Map<String, ToDoubleFunction<T>> steps, List<T> all) {
        StringBuilder text = new StringBuilder(title).append('\n');
        text.append(String.format("%-15s", ""));
        steps.keySet().forEach(name -> text.append(String.format("%16s", name)));
        text.append(String.format("%10s%7s%n", "updates", "wrong"));
        for (T times : all) {
            text.append(String.format(Locale.ROOT, "%-15s", times.node()));
            steps.values().forEach(step -> text.append(wide(step.applyAsDouble(times))));
            text.append(String.format("%10d%7d%n", times.updates(), times.wrong()));
        }
        text.append(String.format("%-15s", "median"));
        steps.values().forEach(step -> text.append(wide(KillTimes.median(all, step))));
        text.append(String.format("%n%-15s", "worst"));
        steps.values().forEach(step -> text.append(wide(KillTimes.worst(all, step))));
        return text.append("\n\n").toString();
    }

    private static String wide(double value) {
        return String.format("%16s", TextTable.figure(value));
    }

    private static String line(String title, ToDoubleFunction<ToDoubleFunction<KillTimes>> figure) {
        StringBuilder text = new StringBuilder(String.format("%-29s", title));
        KillTimes.STEPS.values().forEach(step -> text.append(cell(figure.applyAsDouble(step))));
        return text.append('\n').toString();
    }

    private static String cell(double value) {
        return String.format("%14s", TextTable.figure(value));
    }

    // ---- JSON ----

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("peers", peers);
        document.put("chunksPerPeer", chunks);
        document.put("bytes", bytes);
        document.put("threads", threads);
        document.put("callsPerSecond", rate);
        document.put("createdSeconds", createdSeconds);
        document.put("residentBytesPerChunk", residentPerChunk);
        document.put("diskBytesPerChunk", diskPerChunk);
        document.put("residentBytes", resident);
        document.put("idlePercent", idle);
        Map<String, Object> modes = new LinkedHashMap<>();
        kills.forEach((mode, all) -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            KillTimes.STEPS.forEach((name, step) -> {
                fields.put("median " + name + " ms", KillTimes.median(all, step));
                fields.put("worst " + name + " ms", KillTimes.worst(all, step));
            });
            fields.put("kills", all.stream().map(KillTimes::fields).toList());
            modes.put(mode.id(), fields);
        });
        if (!leaders.isEmpty()) {
            modes.put(KillMode.LEADER.id(), fields(LeaderTimes.STEPS, " ms", leaders));
        }
        if (!refills.isEmpty()) {
            modes.put(KillMode.REFILL.id(), fields(RefillTimes.STEPS, "", refills));
        }
        if (!rates.isEmpty()) {
            modes.put(KillMode.RATE.id(), fields(RateTimes.STEPS, "", rates));
        }
        document.put("modes", modes);
        document.put("bars", bars().stream().map(Bar::fields).toList());
        return new ReportHead(machine).json(document);
    }

    private static <T extends Steps> Map<String, Object> fields(Map<String, ToDoubleFunction<T>> steps, String unit,
                                                                List<T> all) {
        Map<String, Object> fields = new LinkedHashMap<>();
        steps.forEach((name, step) -> {
            fields.put("median " + name + unit, KillTimes.median(all, step));
            fields.put("worst " + name + unit, KillTimes.worst(all, step));
        });
        fields.put("kills", all.stream().map(Steps::fields).toList());
        return fields;
    }
}
