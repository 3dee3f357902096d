package io.teff.tools.soak;

import io.teff.engine.Store;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;

/** Writes the progress and the results of a run as text: one line per cycle, then the report. */
final class SoakText implements SoakObserver {
    private static final String HEAD = "  cycle      time  deleted       chunks        live   committed  at its low"
        + "    resident    get p99.9    put p99.9     (idle)";

    private final PrintWriter out;

    SoakText(PrintWriter out) {
        this.out = out;
    }

    // ---- progress ----

    @Override
    public void begins(Store store) {
        line("%s", HEAD);
    }

    @Override
    public void cycled(Sample sample) {
        line("%7d %7.1f s %6d %% %12s %11s %11s %11s %11s %12s %12s %10s", sample.cycle(), sample.seconds(),
            sample.deletedPercent(), Figures.count(sample.chunks()), Figures.bytes(sample.payloadBytes()),
            Figures.bytes(sample.committedBytes()), Figures.bytes(sample.committedLowBytes()),
            sample.residentBytes() < 0 ? "unknown" : Figures.bytes(sample.residentBytes()),
            Figures.duration(sample.getP999Ns()), Figures.duration(sample.putP999Ns()),
            Figures.duration(sample.idleP999Ns()));
        out.flush();
    }

    // ---- report ----

    void write(SoakReport report) {
        SoakPlan plan = report.plan();
        SoakReport.Work work = report.work();
        line("TEFF SOAK  JDK %s, %d cores, memory from %s; %s chunks of %d to %d bytes, %d threads, seed %d",
            report.machine().javaVersion(), report.machine().cores(), report.machine().memoryMode(),
            Figures.count(plan.chunks()), plan.minSize(), plan.maxSize(), plan.threads(), plan.seed());
        line("  %s cycles, %s mixed steps under load, %s chunks verified byte by byte", Figures.count(work.cycles()),
            Figures.count(work.steps()), Figures.count(work.verifiedChunks()));
        line("  %s counts and %s restored snapshots compared; %s audits; %s defragmentations moved %s chunks;"
            + " %s side stores", Figures.count(work.accounts()), Figures.count(work.snapshots()),
            Figures.count(work.audits()), Figures.count(work.defragmentations()), Figures.count(work.movedChunks()),
            Figures.count(work.sideStores()));
        line("  at %s/s each             done       p50       p99     p99.9       max", Figures.count(plan.rate()));
        for (SoakReport.Latency latency : report.latencies()) {
            line("    %-20s %,10d %9s %9s %9s %9s", latency.name(), latency.count(), Figures.duration(latency.p50Ns()),
                Figures.duration(latency.p99Ns()), Figures.duration(latency.p999Ns()),
                Figures.duration(latency.maxNs()));
        }
        boolean broke = report.criteria().isEmpty();
        line("  %-20s %-10s %s", "contents and counts", broke ? "FAILED" : "PASSED", broke ? "see below"
            : "every byte, chunk and count was right");
        for (SoakReport.Judged judged : report.criteria()) {
            line("  %-20s %-10s %s", judged.name(), judged.state(), judged.text());
        }
        if (report.failure() != null) {
            line("  %s", report.failure());
        }
        line("soak: %s after %.1f s", report.ok() ? "passed" : "FAILED", report.seconds());
        out.flush();
    }

    private void line(String format, Object... values) {
        out.println(Figures.text(format, values).stripTrailing());
    }
}
