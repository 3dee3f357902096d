package io.teff.engine.care;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.alloc.SizeClasses;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.report.HeapMap;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.StoreStats;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares a report with the known content of a store, counted in the plainest way, and with the store's statistics.
 */
public final class HeapRecount {
    private static final int PAGE_BITS = 12;
    private static final int EMBEDDED_MAX = 2046;
    private static final int CANARIES = 16;
    private static final int SLOT_MAX = 16384;

    private final HeapReport report;
    private final Map<Long, Long> lengths;

    private HeapRecount(HeapReport report, Map<Long, Long> lengths) {
        this.report = report;
        this.lengths = lengths;
    }

    /**
     * Checks everything.
     *
     * @param report report of the current store
     * @param stats of the store
     * @param lengths every CID with its length
     * @param readOnly CIDs of read-only chunks
     * @param reserved reserved CIDs
     * @param largestCount number of largest chunks that the report was asked for
     */
    public static void check(HeapReport report, StoreStats stats, Map<Long, Long> lengths, Set<Long> readOnly,
                      Set<Long> reserved, int largestCount) {
        HeapRecount recount = new HeapRecount(report, lengths);
        assertEquals(stats.nid(), report.nid());
        assertEquals(lengths.size(), report.chunks());
        assertEquals(readOnly.size(), report.readOnlyChunks());
        assertEquals(lengths.values().stream().filter(length -> length == 0).count(), report.emptyChunks());
        recount.checkSums(stats);
        recount.checkSlots(stats);
        recount.checkLengths();
        recount.checkLargest(readOnly, largestCount);
        recount.checkCreators(readOnly, reserved);
        recount.checkMap();
    }

    private void checkSums(StoreStats stats) {
        HeapReport.Memory memory = report.memory();
        assertEquals(stats.payloadBytes(), report.payloadBytes());
        assertEquals(stats.tableBytes(), memory.tableBytes());
        assertEquals(stats.usedBytes(), memory.usedBytes());
        assertEquals(stats.limitBytes(), memory.limitBytes());
        assertEquals(stats.reserved(), report.reserved());
        assertEquals(memory.regionBytes(), memory.usedBytes() + memory.freeBytes());
        assertTrue(memory.freeCommittedBytes() <= memory.freeBytes());
        assertTrue(memory.usedBytes() + memory.freeCommittedBytes() <= memory.committedBytes());
        assertTrue(!stats.reserved() || memory.usedBytes() + memory.freeCommittedBytes() == memory.committedBytes());
        long waste = report.runs().wasteBytes()
            + report.sizeClasses().stream().mapToLong(HeapReport.SizeClass::wasteBytes).sum();
        assertEquals(stats.wasteBytes(), waste);
    }

    private long taken(long length) {
        long stored = length == 0 ? 0 : (length > EMBEDDED_MAX ? length + 8 : length)
            + (report.debugLevel() == DebugLevel.OFF ? 0 : CANARIES);
        if (stored > SLOT_MAX) {
            return stored;
        }
        return stored == 0 ? 0 : IntStream.range(0, SizeClasses.COUNT).map(SizeClasses::slotBytes)
            .filter(slot -> slot >= stored).min().orElseThrow();
    }

    private void checkSlots(StoreStats stats) {
        Map<Long, List<Long>> bySlot = lengths.values().stream().filter(length -> length > 0)
            .collect(Collectors.groupingBy(length -> Math.min(taken(length), SLOT_MAX + 1), TreeMap::new,
                Collectors.toList()));
        List<Long> large = bySlot.getOrDefault(SLOT_MAX + 1L, List.of());
        assertEquals(large.size(), report.runs().chunks());
        assertEquals(sum(large), report.runs().payloadBytes());
        assertTrue(report.runs().runs() >= large.size());
        long pages = 0;
        for (HeapReport.SizeClass slots : report.sizeClasses()) {
            List<Long> inside = bySlot.getOrDefault((long) slots.slotBytes(), List.of());
            bySlot.remove((long) slots.slotBytes());
            assertEquals(inside.size(), slots.chunks());
            assertEquals(sum(inside), slots.payloadBytes());
            assertTrue(slots.slotsInUse() >= inside.size());
            assertTrue(report.debugLevel() != DebugLevel.OFF || slots.slotsInUse() == inside.size(), slots::toString);
            assertTrue(slots.slotsInUse() + slots.slotsClaimed() <= slots.slots());
            assertEquals((double) slots.slotsInUse() / slots.slots(), slots.fill());
            pages += slots.pages();
        }
        bySlot.remove(SLOT_MAX + 1L);
        assertEquals(Map.of(), bySlot, "chunks in classes without a page");
        assertEquals(pages, sum(report.pageFills()));
        assertTrue(stats.takenBytes() <= report.memory().slotPageBytes() + report.runs().bytes());
    }

    private void checkLengths() {
        long chunks = 0;
        long end = -1;
        for (HeapReport.Lengths range : report.lengths()) {
            assertTrue(range.bytesMin() > end && range.bytesMax() >= range.bytesMin(), range::toString);
            List<Long> inside = lengths.values().stream()
                .filter(length -> length >= range.bytesMin() && length <= range.bytesMax()).toList();
            assertEquals(inside.size(), range.chunks());
            assertEquals(sum(inside), range.payloadBytes());
            chunks += range.chunks();
            end = range.bytesMax();
        }
        assertEquals(lengths.size(), chunks);
    }

    private void checkLargest(Set<Long> readOnly, int largestCount) {
        List<HeapReport.Chunk> expected = lengths.entrySet().stream()
            .map(chunk -> new HeapReport.Chunk(chunk.getKey(), chunk.getValue(), readOnly.contains(chunk.getKey())))
            .sorted(Comparator.comparingLong(HeapReport.Chunk::bytes).reversed()
                .thenComparing(HeapReport.Chunk::cid, Long::compareUnsigned)).limit(largestCount).toList();
        assertEquals(expected, report.largest());
    }

    private void checkCreators(Set<Long> readOnly, Set<Long> reserved) {
        Map<Integer, Map<Long, Integer>> pages = new HashMap<>();
        lengths.keySet().forEach(cid -> count(pages, cid));
        reserved.forEach(cid -> count(pages, cid));
        for (HeapReport.Creator creator : report.creators()) {
            List<Long> mine = lengths.keySet().stream().filter(cid -> Cid.nid(cid) == creator.nid()).toList();
            assertEquals(mine.size(), creator.chunks());
            assertEquals(mine.stream().mapToLong(lengths::get).sum(), creator.payloadBytes());
            assertEquals(mine.stream().filter(readOnly::contains).count(), creator.readOnlyChunks());
            assertEquals(reserved.stream().filter(cid -> Cid.nid(cid) == creator.nid()).count(),
                creator.reservedCids());
            assertEquals(creator.tablePages(), sum(creator.densities()));
            long[] tenths = new long[10];
            Map<Long, Integer> known = pages.getOrDefault(creator.nid(), Map.of());
            pages.remove(creator.nid());
            known.values().forEach(entries -> tenths[Math.min(entries * 10 >> PAGE_BITS, 9)]++);
            tenths[0] += creator.tablePages() - known.size();   // pages whose entries are all free
            assertTrue(creator.tablePages() >= known.size());
            for (int i = 0; i < tenths.length; i++) {
                assertEquals(tenths[i], creator.densities().get(i));
            }
        }
        assertEquals(Map.of(), pages, "creators that the report does not know");
    }

    private static void count(Map<Integer, Map<Long, Integer>> pages, long cid) {
        pages.computeIfAbsent(Cid.nid(cid), ignored -> new HashMap<>())
            .merge(Cid.index(cid) >>> PAGE_BITS, 1, Integer::sum);
    }

    private void checkMap() {
        HeapMap map = report.map();
        HeapReport.Memory memory = report.memory();
        assertTrue(map.cellCount() <= HeapMap.CELLS_MAX);
        assertEquals(memory.regionBytes(), map.regionBytes());
        assertTrue(map.cellCount() * map.cellBytes() - map.regionBytes() < map.cellBytes());
        assertEquals(memory.slotPageBytes(), sum(map, map::slotPageBytes));
        assertEquals(memory.runBytes(), sum(map, map::runBytes));
        assertEquals(memory.tableBytes(), sum(map, map::tableBytes));
        assertEquals(memory.freeBytes(), sum(map, map::freeBytes));
        assertEquals(memory.freeCommittedBytes(), sum(map, map::freeCommittedBytes));
        double filled = 0;
        for (int cell = 0; cell < map.cellCount(); cell++) {
            filled += map.fill(cell) * map.slotPageBytes(cell);
        }
        double expected = report.sizeClasses().stream()
            .mapToDouble(slots -> slots.fill() * slots.pages() * slots.pageBytes()).sum();
        assertEquals(expected, filled, expected * 1e-5);
    }

    private static long sum(HeapMap map, IntToLongFunction bytes) {
        return IntStream.range(0, map.cellCount()).mapToLong(bytes).sum();
    }

    private static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
