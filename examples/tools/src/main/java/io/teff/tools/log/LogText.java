package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.List;

/** Writes the content of a log as tables, at most 120 characters wide. */
final class LogText {
    private static final String ROW = "  %-40s %9s %11s %14s %11s %8s";

    private final LogReport log;
    private final PrintWriter out;

    private LogText(LogReport log, PrintWriter out) {
        this.log = log;
        this.out = out;
    }

    static void write(String folder, double seconds, LogReport log, boolean segments, PrintWriter out) {
        LogText text = new LogText(log, out);
        text.line("LOG  %s", folder);
        text.summary(seconds);
        text.zones(segments);
        out.flush();
    }

    private void summary(double seconds) {
        line("  id         %s, of NID %d, segments of at most %s", log.log(), log.nid(),
            Figures.bytes(log.segmentBytes()));
        line("  state      %s", switch (log.ending()) {
            case CLOSED -> "closed";
            case KILLED -> "not closed; the process was killed: the whole write buffer counts";
            case POWER_CUT -> "not closed; the machine was restarted, or this is unknown: the write buffer counts "
                + "up to its first gap";
        });
        if (log.boot() != null) {
            line("  opened     in boot %s", log.boot());
        }
        line("  files      read in %.2f s", seconds);
        log.files().forEach(it -> line("    %-10s %9s %11s", it.kind(), Figures.count(it.files()),
            Figures.bytes(it.bytes())));
        LogReport.Entries entries = log.entries();
        line("  entries    %s with %s of payload", Figures.count(entries.count()),
            Figures.bytes(entries.payloadBytes()));
        count("puts", entries.puts());
        count("read-only", entries.readOnlyPuts());
        count("removals", entries.removals());
        count("reserved", entries.reservations());
        count("links", entries.links());
        count("changes", entries.changes());
        LogReport.Rest rest = log.rest();
        if (log.ending() != LogReport.Ending.CLOSED) {
            line("  frames     %s from number %d on, with %s entries", Figures.count(rest.frames()), rest.firstFrame(),
                Figures.count(rest.frameEntries()));
            line("  buffer     %s records with %s entries", Figures.count(rest.ringRecords()),
                Figures.count(rest.ringEntries()));
        }
        line("  damage     %s", log.damage().isEmpty() ? "none"
            : log.damage().size() + " places; ./teff log verify names them");
        if (!log.unfinished().isEmpty()) {
            line("  unfinished %d places, named by ./teff log verify; nothing is missing there",
                log.unfinished().size());
        }
    }

    private void count(String name, long count) {
        if (count > 0) {
            line("    %-10s %9s", name, Figures.count(count));
        }
    }

    private void zones(boolean segments) {
        out.println();
        line("ZONES");
        line(ROW, "zone", "segments", "in files", "entries", "payload", "live");
        for (LogReport.Zone zone : log.zones()) {
            line(ROW, zone.zone(), Figures.count(zone.segments().size()), Figures.bytes(zone.fileBytes()),
                Figures.count(zone.entries().count()), Figures.bytes(zone.entries().payloadBytes()),
                live(zone.segments()));
            if (segments) {
                zone.segments().forEach(it -> line(ROW, "  " + it.file(), it.sealed() ? "sealed" : "open",
                    Figures.bytes(it.fileBytes()), Figures.count(it.entries()), Figures.bytes(it.entryBytes()),
                    live(List.of(it))));
            }
        }
    }

    private static String live(List<LogReport.Segment> segments) {
        long all = segments.stream().mapToLong(LogReport.Segment::entryBytes).sum();
        long live = segments.stream().mapToLong(LogReport.Segment::liveBytes).sum();
        return all == 0 ? "-" : Figures.percent((double) live / all);
    }

    private void line(String format, Object... values) {
        out.println(Figures.text(format, values).stripTrailing());
    }
}
