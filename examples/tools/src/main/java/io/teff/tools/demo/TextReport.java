package io.teff.tools.demo;

import io.teff.examples.graph.ClassGraph.Ranked;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Writes a {@link DemoReport} as aligned text without colours, at most {@value #WIDTH} characters wide. */
final class TextReport {
    private static final int WIDTH = 100;
    private static final String INDENT = "  ";
    private static final double MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PrintWriter out;

    private TextReport(PrintWriter out) {
        this.out = out;
    }

    static void write(DemoReport report, PrintWriter out) {
        new TextReport(out).write(report);
        out.flush();
    }

    private void write(DemoReport report) {
        DemoReport.Machine machine = report.machine();
        line("TEFF DEMO  JDK %s, %d cores, memory from %s", machine.javaVersion(), machine.cores(),
            machine.memoryMode());
        if (report.graph() != null) {
            graph(report.graph());
        }
        if (report.load() != null) {
            load(report.load());
        }
        if (report.durable() != null) {
            durable(report.durable());
        }
        collector(report.collector());
        out.println();
        line("%s in %.1f s", report.ok() ? "Every check passed," : "FAILED: " + report.failure(),
            report.seconds());
    }

    // ---- graph ----

    private void graph(DemoReport.Graph graph) {
        out.println();
        line("CLASS GRAPH  every class of this JVM is a chunk; its references are the CIDs in it");
        line("  read       %s classes, %s references in %.2f s, %d threads", Figures.count(graph.classes()),
            Figures.count(graph.references()), graph.readSeconds(), graph.threads());
        line("  stored     %s chunks, %s of payload in %s of memory", Figures.count(graph.chunks()),
            Figures.bytes(graph.payloadBytes()), Figures.bytes(graph.usedBytes()));
        DemoReport.Referrers referrers = graph.referrers();
        line("  %s is referred to by %s classes%s", referrers.name(), Figures.count(referrers.count()),
            referrers.first().isEmpty() ? "" : ", first by name:");
        wrapped(referrers.first(), ", ");
        path(graph.path());
        line("  most referenced");
        ranking(graph.mostReferenced());
    }

    private void path(DemoReport.Path path) {
        if (path.steps() < 0) {
            line("  no path from %s to %s; %s classes visited in %.1f ms", path.from(), path.to(),
                Figures.count(path.visited()), path.milliseconds());
            return;
        }
        line("  shortest path from %s to %s: %d references, %s classes visited, %.1f ms", path.from(), path.to(),
            path.steps(), Figures.count(path.visited()), path.milliseconds());
        wrapped(path.classes(), " > ");
    }

    /** Writes a ranking in two columns, each read downwards. */
    private void ranking(List<Ranked> ranking) {
        int rows = (ranking.size() + 1) / 2;
        for (int row = 0; row < rows; row++) {
            String left = ranked(ranking, row);
            String right = row + rows < ranking.size() ? ranked(ranking, row + rows) : "";
            line("    %s%s", left, right.isEmpty() ? "" : "    " + right);
        }
    }

    private static String ranked(List<Ranked> ranking, int index) {
        Ranked ranked = ranking.get(index);
        return Figures.text("%2d  %-36s %,6d", index + 1, ranked.name(), ranked.referrers());
    }

    private void wrapped(List<String> words, String separator) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i) + (i < words.size() - 1 ? separator : "");
            if (!text.isEmpty() && INDENT.length() * 2 + text.length() + word.stripTrailing().length() > WIDTH) {
                line("    %s", text);
                text.setLength(0);
            }
            text.append(word);
        }
        if (!text.isEmpty()) {
            line("    %s", text);
        }
    }

    // ---- load ----

    private void load(DemoReport.Load load) {
        LoadPlan plan = load.plan();
        out.println();
        line("LOAD  %s chunks of %d to %d bytes, %d threads, seed %d; every byte read is verified",
            Figures.count(plan.count()), plan.minSize(), plan.maxSize(), plan.threads(), plan.seed());
        line("  mixed      %s operations in %.2f s: %.2f M/s", Figures.count(load.operations()), load.seconds(),
            load.millionPerSecond());
        line("             done           M/s       p50       p90       p99     p99.9       max");
        for (DemoReport.Operation operation : load.perOperation()) {
            operation(operation);
        }
        line("             (latencies of 1 in %d operations, including %s to read the clock)", load.sampleEvery(),
            Figures.duration(load.clockNs()));
        line("  read back  each chunk, in batches: %.2f s, %.2f M/s", load.sweep().seconds(),
            load.sweep().millionPerSecond());
        if (load.auditSeconds() != null) {
            line("  audit      all invariants of the store recomputed: %.2f s", load.auditSeconds());
        }
        footprint(load.footprint());
    }

    private void operation(DemoReport.Operation operation) {
        line("  %-8s %,12d %9.2f %9s %9s %9s %9s %9s", operation.name(), operation.count(),
            operation.millionPerSecond(), Figures.duration(operation.p50Ns()), Figures.duration(operation.p90Ns()),
            Figures.duration(operation.p99Ns()), Figures.duration(operation.p999Ns()),
            Figures.duration(operation.maxNs()));
    }

    private void footprint(DemoReport.Footprint place) {
        line("  per chunk  %.2f B payload + %.2f table + %.2f slot waste + %.2f free slots = %.2f B; %.2f B unused",
            place.perChunk(place.payloadBytes()), place.perChunk(place.tableBytes()),
            place.perChunk(place.slotWasteBytes()), place.perChunk(place.freeSlotBytes()),
            place.perChunk(place.usedBytes()), place.perChunk(place.freeUnitBytes()));
        line("  memory     %s payload, %s committed, limit %s; process with JVM %s",
            Figures.bytes(place.payloadBytes()), Figures.bytes(place.committedBytes()),
            Figures.bytes(place.limitBytes()),
            place.residentBytes() < 0 ? "unknown" : Figures.bytes(place.residentBytes()));
    }

    // ---- durable ----

    private void durable(DemoReport.Durable durable) {
        out.println();
        line("DURABLE  a process killed %d times during updates; each class, reference and update compared",
            durable.kills());
        line("  stored       %s classes, %s references in %.2f s, including the start of the process",
            Figures.count(durable.classes()), Figures.count(durable.references()), durable.storeSeconds());
        line("  acknowledged %s updates by %d threads, %s per second", Figures.count(durable.acknowledgedUpdates()),
            durable.threads(), Figures.count(Math.round(durable.updatesPerSecond())));
        line("  kept         all of them, and %s more whose acknowledgement was pending; nothing else",
            Figures.count(durable.underWayUpdates()));
        line("  opened       in at most %.2f s, from %s log entries", durable.openSeconds(),
            Figures.count(durable.restoredEntries()));
    }

    // ---- JVM ----

    private void collector(DemoReport.Collector collector) {
        out.println();
        line("JVM  %s garbage collections, total pause %s, longest %s; heap peak %s of %s",
            Figures.count(collector.collections()),
            Figures.duration(collector.pausesMilliseconds() * MILLISECOND_NS),
            Figures.duration(collector.longestPauseMilliseconds() * MILLISECOND_NS),
            Figures.bytes(collector.heapPeakBytes()), Figures.bytes(collector.heapLimitBytes()));
    }

    private void line(String format, Object... values) {
        out.println(Figures.text(format, values).stripTrailing());
    }
}
