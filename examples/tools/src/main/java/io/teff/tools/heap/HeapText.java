package io.teff.tools.heap;

import io.teff.engine.report.HeapReport;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;

/** Writes a heap report as tables, at most 120 characters wide. */
final class HeapText {
    private static final int CREATORS_MAX = 20;
    private static final int BAR_WIDTH = 50;
    private static final String CREATOR_ROW = "%6s %12s %10s %6s %8s %7s %5s %7s |%s";
    private static final int TENTH = 10;
    private static final int HUNDRED = 100;

    private final HeapDocument heap;
    private final PrintWriter out;

    private HeapText(HeapDocument heap, PrintWriter out) {
        this.heap = heap;
        this.out = out;
    }

    static void write(HeapDocument heap, PrintWriter out) {
        HeapText text = new HeapText(heap, out);
        text.summary();
        text.sizeClasses();
        text.fills();
        text.lengths();
        text.largest();
        text.creators();
        out.flush();
    }

    // ---- the whole ----

    private void summary() {
        HeapReport.Memory memory = heap.memory();
        line("SNAPSHOT  %s", heap.file());
        line("  file       %s, read in %.2f s", Figures.bytes(heap.fileBytes()), heap.seconds());
        line("  store      NID %d, %s chunks (%s read-only, %s empty), %s payload", heap.nid(),
            Figures.count(heap.chunks()), Figures.count(heap.readOnlyChunks()), Figures.count(heap.emptyChunks()),
            Figures.bytes(heap.payloadBytes()));
        if (!heap.debugLevel().equals("OFF")) {
            line("             debug level %s: each chunk takes more than its length", heap.debugLevel());
        }
        long waste = heap.runs().wasteBytes()
            + heap.sizeClasses().stream().mapToLong(HeapReport.SizeClass::wasteBytes).sum();
        line("  per chunk  %.2f B payload + %.2f table + %.2f slot waste + %.2f free slots and headers = %.2f B",
            heap.perChunk(heap.payloadBytes()), heap.perChunk(memory.tableBytes()), heap.perChunk(waste),
            heap.perChunk(memory.usedBytes() - memory.tableBytes() - heap.payloadBytes() - waste),
            heap.perChunk(memory.usedBytes()));
        line("  memory     %s committed (%s of it free units), limit %s, %s", Figures.bytes(memory.committedBytes()),
            Figures.bytes(memory.freeCommittedBytes()), Figures.bytes(memory.limitBytes()),
            heap.reserved() ? "reserved address space" : "arena blocks");
        part("pages", memory.slotPageBytes(), memory.regionBytes());
        part("runs", memory.runBytes(), memory.regionBytes());
        part("table", memory.tableBytes(), memory.regionBytes());
        part("free", memory.freeBytes(), memory.regionBytes());
    }

    private void part(String name, long bytes, long region) {
        line("    %-8s %10s %8s", name, Figures.bytes(bytes), share(bytes, region));
    }

    private static String share(long part, long whole) {
        return Figures.percent((double) part / Math.max(whole, 1));
    }

    // ---- slots and runs ----

    private void sizeClasses() {
        out.println();
        line("SIZE CLASSES");
        line("     slot     page      pages          slots         in use     payload       waste     fill");
        long pages = 0;
        long slots = 0;
        long inUse = 0;
        long payload = 0;
        long waste = 0;
        for (HeapReport.SizeClass each : heap.sizeClasses()) {
            row(Figures.bytes(each.slotBytes()), Figures.bytes(each.pageBytes()), each.pages(), each.slots(),
                each.slotsInUse(), each.payloadBytes(), each.wasteBytes());
            pages += each.pages();
            slots += each.slots();
            inUse += each.slotsInUse();
            payload += each.payloadBytes();
            waste += each.wasteBytes();
        }
        row("all", "", pages, slots, inUse, payload, waste);
        HeapReport.Runs runs = heap.runs();
        if (runs.runs() > 0) {
            line("  runs of large chunks: %s with %s chunks, %s: payload %s, waste %s", Figures.count(runs.runs()),
                Figures.count(runs.chunks()), Figures.bytes(runs.bytes()), Figures.bytes(runs.payloadBytes()),
                Figures.bytes(runs.wasteBytes()));
        }
    }

    private void row(String slot, String page, long pages, long slots, long inUse, long payload, long waste) {
        line("%9s %8s %,10d %,14d %,14d %11s %11s %8s", slot, page, pages, slots, inUse, Figures.bytes(payload),
            Figures.bytes(waste), share(inUse, slots));
    }

    private void fills() {
        long most = Math.max(heap.pageFills().stream().mapToLong(Long::longValue).max().orElse(1), 1);
        long pages = heap.pageFills().stream().mapToLong(Long::longValue).sum();
        out.println();
        line("FILL OF PAGES  by slots in use");
        for (int tenth = 0; tenth < TENTH; tenth++) {
            long count = heap.pageFills().get(tenth);
            line("  %3d to %3d %%  %,10d %8s  %s", tenth * HUNDRED / TENTH, (tenth + 1) * HUNDRED / TENTH, count,
                share(count, pages), "#".repeat((int) Math.ceil((double) count * BAR_WIDTH / most)));
        }
    }

    // ---- chunks ----

    private void lengths() {
        out.println();
        line("LENGTHS  in bytes");
        long most = Math.max(heap.lengths().stream().mapToLong(HeapReport.Lengths::chunks).max().orElse(1), 1);
        for (HeapReport.Lengths range : heap.lengths()) {
            line("  %,17d to %,17d  %,14d %11s  %s", range.bytesMin(), range.bytesMax(), range.chunks(),
                Figures.bytes(range.payloadBytes()),
                "#".repeat((int) Math.ceil((double) range.chunks() * BAR_WIDTH / most)));
        }
    }

    private void largest() {
        if (heap.largest().isEmpty()) {
            return;
        }
        out.println();
        line("LARGEST CHUNKS");
        for (HeapDocument.NamedChunk chunk : heap.largest()) {
            line("  %-24s %,20d B%s", chunk.cid(), chunk.bytes(), chunk.readOnly() ? "  read-only" : "");
        }
    }

    // ---- creators ----

    private void creators() {
        out.println();
        line("CREATORS  and their table pages by density in %%");
        line(CREATOR_ROW, "NID", "chunks", "payload", "sealed", "reserved", "retired", "pages", "density",
            "   0-  10-  20-  30-  40-  50-  60-  70-  80-  90-");
        List<HeapReport.Creator> shown = heap.creators().stream()
            .sorted(Comparator.comparingLong(HeapReport.Creator::tablePages).reversed()).limit(CREATORS_MAX).toList();
        for (HeapReport.Creator creator : shown) {
            StringBuilder tenths = new StringBuilder();
            for (long count : creator.densities()) {
                tenths.append(Figures.text(" %4s", count == 0 ? "." : Figures.compact(count)));
            }
            line(CREATOR_ROW, creator.nid(), Figures.count(creator.chunks()),
                Figures.bytes(creator.payloadBytes()), Figures.compact(creator.readOnlyChunks()),
                Figures.compact(creator.reservedCids()), Figures.compact(creator.retiredIndexes()),
                Figures.compact(creator.tablePages()),
                share((creator.chunks() + creator.reservedCids()) * Long.BYTES, creator.tableBytes()), tenths);
        }
        if (heap.creators().size() > shown.size()) {
            line("    and %s more with fewer pages (--json names all)",
                Figures.count(heap.creators().size() - shown.size()));
        }
    }

    private void line(String format, Object... values) {
        out.println(Figures.text(format, values).stripTrailing());
    }
}
