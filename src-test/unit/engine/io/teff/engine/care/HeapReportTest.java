package io.teff.engine.care;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.MemoryDisk;
import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Platform;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.snapshot.MapLayout;
import io.teff.engine.snapshot.SnapshotBlocks;
import io.teff.engine.snapshot.SnapshotLayout;
import io.teff.engine.snapshot.Snapshots;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a report describes the content of a live store and of its snapshot alike; a file with a false map is refused,
 * and false values in a map do not affect a restore.
 *
 * <p>Method: random stores against {@link HeapRecount}; every byte of every record of a file's map replaced, with the
 * checksum recomputed. The store model compares reports, too.
 */
@Tag("modes")
final class HeapReportTest {
    private static final Path PATH = Path.of("store.teff");
    private static final int LARGEST = 7;
    private static final int LENGTH_MAX = 40_000;

    private final MemoryDisk disk = new MemoryDisk();
    private final Map<Long, Long> lengths = new HashMap<>();
    private final Set<Long> readOnly = new HashSet<>();
    private final Set<Long> reserved = new HashSet<>();

    private StoreConfig.Builder config() {
        return TestConfig.platform(Stores.small().nid(3).defragCpuPercent(0), Platform.SYSTEM.withDisk(disk));
    }

    private HeapReport analyze() {
        return Snapshots.analyze(disk, PATH, LARGEST, Progress.NONE);
    }

    private void check(Store store) {
        store.audit();
        HeapReport live = store.heap(LARGEST);
        HeapRecount.check(live, store.stats(), lengths, readOnly, reserved, LARGEST);
        store.snapshot(PATH);
        HeapReport read = analyze();
        HeapRecount.check(read, store.stats(), lengths, readOnly, reserved, LARGEST);
        assertEquals(live.sizeClasses(), read.sizeClasses());
        assertEquals(live.memory(), read.memory());
        assertEquals(live.creators(), read.creators());
        for (int cell = 0; cell < live.map().cellCount(); cell++) {
            assertEquals(live.map().fill(cell), read.map().fill(cell));
        }
        assertEquals(0, disk.openFiles());
    }

    // ---- reports of live stores and snapshots ----

    @Property(tries = 60)
    void anyStore_isReportedAsItIs(@ForAll long seed, @ForAll @IntRange(max = 3000) int chunks,
                                   @ForAll @IntRange(min = 1, max = LENGTH_MAX) int lengthMax,
                                   @ForAll @IntRange(max = 100) int percentRemoved, @ForAll boolean checked) {
        lengths.clear();
        readOnly.clear();
        reserved.clear();
        SplittableRandom random = Seed.random(seed);
        DebugLevel level = checked ? DebugLevel.QUARANTINE : DebugLevel.OFF;
        try (Store store = Store.open(config().debugLevel(level).build())) {
            for (int i = 0; i < chunks; i++) {
                int length = random.nextInt(lengthMax + 1) >> random.nextInt(12);
                boolean sealed = random.nextInt(10) == 0;
                long cid = random.nextInt(20) == 0 ? foreign(store, random, length) : store.create(length);
                if (cid > 0 && sealed && store.seal(cid) == Status.OK) {
                    readOnly.add(cid);
                }
                if (!Status.isStatus(cid)) {
                    lengths.put(cid, (long) length);
                }
                if (random.nextInt(50) == 0) {
                    reserved.add(store.ids().reserve());
                }
            }
            for (long cid : List.copyOf(lengths.keySet())) {
                if (random.nextInt(100) < percentRemoved) {
                    assertTrue(store.remove(cid) >= 0);
                    lengths.remove(cid);
                    readOnly.remove(cid);
                }
            }
            if (random.nextBoolean()) {
                store.defragment();
                store.trim();
            }
            check(store);
        }
    }

    private static long foreign(Store store, SplittableRandom random, int length) {
        long cid = Cid.of(random.nextInt(4, 8), random.nextInt(1, 20_000));
        int status = store.ids().createAt(cid, length);
        return status == Status.OK ? cid : Status.EXISTS;
    }

    @Test
    void emptyStore_hasAnEmptyReport() {
        try (Store store = Store.open(config().build())) {
            check(store);
            HeapReport report = store.heap(0);
            assertEquals(0, report.map().cellCount());
            assertEquals(List.of(), report.creators());
            assertEquals(List.of(), report.largest());
        }
    }

    @Test
    void guardPages_areRuns() {
        if (!Memory.RESERVED) {
            return;
        }
        try (Store store = Store.open(config().debugLevel(DebugLevel.GUARD_PAGES).build())) {
            store.create(5L);
            store.create(0L);
            store.snapshot(PATH);
            for (HeapReport report : List.of(store.heap(1), analyze())) {
                assertEquals(new HeapReport.Runs(1, 8192, 1, 5, 8187), report.runs());
                assertEquals(List.of(), report.sizeClasses());
            }
        }
    }

    @Test
    void halfRemoved_showsHalfFilledPages() {
        try (Store store = Store.open(config().build())) {
            long[] cids = new long[100_000];
            store.batch().create(64, cids, 0, cids.length, false);
            for (int i = 0; i < cids.length; i += 2) {
                store.remove(cids[i]);
            }
            HeapReport.SizeClass slots = store.heap(0).sizeClasses().getFirst();
            assertEquals(64, slots.slotBytes());
            assertEquals(50_000, slots.slotsInUse());
            List<Long> fills = store.heap(0).pageFills();
            assertTrue(fills.get(4) + fills.get(5) >= slots.pages() - 1, fills::toString);
            List<Long> densities = store.heap(0).creators().getFirst().densities();
            assertTrue(densities.get(4) + densities.get(5) >= 24, densities::toString);
        }
    }

    @Test
    void manyTablePages_spreadOverBlocks() {
        try (Store store = Store.open(config().build())) {
            for (int page = 0; page < 600; page++) {
                long cid = Cid.of(5 + page % 3, 1 + ((long) page << 12));
                assertEquals(Status.OK, store.ids().createAt(cid, 3));
                lengths.put(cid, 3L);
            }
            check(store);
        }
    }

    @Test
    void moreTablePagesThanWait_areWrittenBetweenChunks() {
        try (Store store = Store.open(config().memoryLimitBytes(96 << 20).build())) {
            for (int page = 0; page < 2500; page++) {
                long cid = Cid.of(5, 1 + ((long) page << 12));
                assertEquals(Status.OK, store.ids().createAt(cid, 2));
                lengths.put(cid, 2L);
            }
            check(store);
            List<Integer> types = new ArrayList<>();
            forEachBlock(disk.files.get(PATH), (type, offset) -> types.add(type));
            assertEquals(List.of(SnapshotLayout.HEAD, SnapshotLayout.MAP, SnapshotLayout.CHUNKS, SnapshotLayout.MAP,
                SnapshotLayout.CHUNKS, SnapshotLayout.MAP, SnapshotLayout.MAP, SnapshotLayout.END), types);
            try (Store restored = Store.restore(PATH, config().memoryLimitBytes(96 << 20).build())) {
                assertEquals(2500, restored.audit().chunks());
            }
        }
    }

    @Test
    void largestCount_outOfRange_throws() {
        try (Store store = Store.open(config().build())) {
            assertThrows(IllegalArgumentException.class, () -> store.heap(-1));
            assertThrows(IllegalArgumentException.class, () -> store.heap(Limits.LARGEST_COUNT_MAX + 1));
        }
        assertThrows(IllegalArgumentException.class, () -> Store.analyze(PATH, -1, Progress.NONE));
        StoreException e = assertThrows(StoreException.class, () -> Store.analyze(PATH, 1, Progress.NONE));
        assertEquals(Category.RETRY, e.category());
    }

    @Test
    void progress_reportsBytes() {
        try (Store store = Store.open(config().build())) {
            store.create(3_000_000L);
            store.snapshot(PATH);
        }
        List<Long> told = new ArrayList<>();
        long bytes = disk.files.get(PATH).length;
        Snapshots.analyze(disk, PATH, 1, (done, total) -> {
            assertEquals(bytes, total);
            assertTrue(told.isEmpty() || told.getLast() <= done);
            told.add(done);
        });
        assertEquals(bytes, told.getLast());
        assertTrue(told.size() > 5);
    }

    // ---- hostile files ----

    @FunctionalInterface
    private interface BlockVisitor {
        void block(int type, int offset);
    }

    private static void forEachBlock(byte[] file, BlockVisitor visitor) {
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int offset = 0; offset < file.length; ) {
            visitor.block(buffer.getInt(offset), offset);
            offset += SnapshotLayout.FRAME_BYTES + buffer.getInt(offset + 4);
        }
    }

    /** A file with every kind of record, and its content. */
    private byte[] file() {
        try (Store store = Store.open(config().build())) {
            long gone = store.create(30_000L);
            store.create(20_000L);
            store.create(100L);
            store.ids().createAt(Cid.of(9, 5), 10);
            store.remove(gone);
            store.snapshot(PATH);
            return disk.files.get(PATH);
        }
    }

    private void restoresWhole(byte[] file, String what) {
        disk.files.put(PATH, file);
        try (Store store = Store.restore(PATH, config().build())) {
            assertEquals(20_110, store.stats().payloadBytes(), what);
            assertEquals(3, store.audit().chunks(), what);
        }
    }

    @Test
    void everyByteOfTheMapReplaced_isRefusedOrReported_andRestoredNevertheless() {
        byte[] good = file();
        List<Integer> refused = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        forEachBlock(good, (type, offset) -> {
            int length = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
            for (int at = 0; type == SnapshotLayout.MAP && at < length; at++) {
                for (int value : new int[] {1, 0x80, 0xFF}) {
                    byte[] bad = good.clone();
                    bad[offset + SnapshotLayout.FRAME_BYTES + at] ^= (byte) value;
                    String what = "block " + offset + " byte " + at + " ^ " + value;
                    all.add(at);
                    restoresWhole(SnapshotBlocks.resealed(bad, offset), what);
                    try {
                        analyze();
                    } catch (StoreException e) {
                        assertEquals(Category.FATAL, e.category(), what);
                        assertTrue(e.getMessage().contains("block at offset "), e.getMessage());
                        refused.add(at);
                    }
                }
            }
        });
        assertTrue(all.size() > 500, "records of all kinds: " + all.size());
        assertTrue(refused.size() > all.size() * 3 / 4, refused.size() + " of " + all.size() + " were refused");
    }

    /** Changes the first record of a kind. */
    private byte[] changed(int kind, Consumer<ByteBuffer> change) {
        byte[] bad = file().clone();
        boolean[] found = {false};
        forEachBlock(bad, (type, offset) -> {
            int body = offset + SnapshotLayout.FRAME_BYTES;
            int length = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
            for (int at = body; type == SnapshotLayout.MAP && at < body + length; at += MapLayout.RECORD_BYTES) {
                if (!found[0] && bad[at] == kind) {
                    found[0] = true;
                    change.accept(ByteBuffer.wrap(bad, at, MapLayout.RECORD_BYTES).slice()
                        .order(ByteOrder.LITTLE_ENDIAN));
                    SnapshotBlocks.resealed(bad, offset);
                }
            }
        });
        assertTrue(found[0], "a record of kind " + kind);
        return bad;
    }

    /** Kind of the record, offset and bytes of the field, its new value, and a part of the message. */
    @ParameterizedTest
    @CsvSource({
        "1, 2, 2, 4, invalid region", "1, 4, 2, 2, invalid region",
        "1, 6, 2, 1, invalid region", "1, 8, 8, 0, invalid region", "1, 8, 8, -4194304, invalid",
        "1, 8, 8, 8796093022208, nothing at address", "1, 16, 8, -1, invalid", "1, 16, 8, 4096, bytes committed",
        "1, 24, 8, 0, invalid",
        "2, 0, 2, 6, kind 6", "2, 0, 2, 1, second region", "2, 2, 2, 3, invalid page",
        "2, 4, 2, 65535, invalid page", "2, 4, 2, 0, 0 slots of", "2, 16, 4, 0, slots of 0",
        "2, 16, 4, 2147483647, slots of", "2, 16, 4, 9, invalid", "2, 20, 4, 4096, invalid",
        "2, 8, 8, 4194305, outside the region", "2, 8, 8, 0, outside", "2, 8, 8, -32768, outside",
        "2, 8, 8, 4325376, must follow",
        "2, 24, 8, 1, invalid", "3, 2, 2, 1, reserved bits", "3, 24, 8, 5, reserved bits",
        "3, 16, 8, 0, outside", "3, 16, 8, -1, outside", "3, 16, 8, 9223372036854775807, outside",
        "3, 16, 8, 1, must follow", "4, 2, 2, 65535, invalid", "4, 2, 2, 77, nid=",
        "4, 4, 2, 4097, invalid", "4, 6, 2, 65535, invalid", "4, 4, 2, 9, entries of nid",
        "4, 8, 8, 4198400, outside", "4, 8, 8, 8355840, must follow", "4, 16, 8, 7, invalid",
        "4, 16, 8, -4096, invalid",
        "4, 24, 8, 4097, invalid", "4, 24, 8, -1, invalid", "5, 24, 8, 1024000, invalid",
        "5, 24, 8, -1, invalid", "5, 16, 8, 4611686018427387904, outside", "5, 4, 2, 1, invalid"})
    void hostileRecord_isRefusedByName(int kind, int offset, int bytes, long value, String message) {
        byte[] bad = changed(kind, entry -> {
            switch (bytes) {
                case 2 -> entry.putShort(offset, (short) value);
                case 4 -> entry.putInt(offset, (int) value);
                default -> entry.putLong(offset, value);
            }
        });
        restoresWhole(bad, message);
        StoreException e = assertThrows(StoreException.class, this::analyze);
        assertEquals(Category.FATAL, e.category());
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    /** Returns the file without its map, as a writer without maps would write it. */
    private static byte[] withoutMap(byte[] file) {
        ByteBuffer out = ByteBuffer.allocate(file.length).order(ByteOrder.LITTLE_ENDIAN);
        int[] blocks = {0};
        forEachBlock(file, (type, offset) -> {
            int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
            if (type != SnapshotLayout.MAP) {
                int at = out.position();
                out.put(file, offset, SnapshotLayout.FRAME_BYTES + length).putLong(at + 8, at);
                if (type == SnapshotLayout.END) {
                    out.putLong(at + SnapshotLayout.FRAME_BYTES + 16, blocks[0]);
                }
                SnapshotBlocks.resealed(out.array(), at);
                blocks[0]++;
            }
        });
        return Arrays.copyOf(out.array(), out.position());
    }

    @Test
    void fileWithoutMap_isRestoredAndHasNoReport() {
        restoresWhole(withoutMap(file()), "no map");
        StoreException e = assertThrows(StoreException.class, this::analyze);
        assertTrue(e.getMessage().contains("map of the store's memory is missing"), e.getMessage());
    }

    @Test
    void mapOfHalfARecord_isRefusedByBoth() {
        byte[] good = file();
        int first = SnapshotLayout.FRAME_BYTES + SnapshotLayout.HEAD_BYTES;
        ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).putInt(first + 4, MapLayout.RECORD_BYTES / 2);
        disk.files.put(PATH, SnapshotBlocks.resealed(good, first));
        assertThrows(StoreException.class, () -> Store.restore(PATH, config().build()));
        assertTrue(assertThrows(StoreException.class, this::analyze).getMessage().contains("length is wrong"));
    }

    @Test
    void reportsOfTwoStores_differ() {
        file();
        HeapReport one = analyze();
        try (Store store = Store.open(config().build())) {
            store.create(64L);
            store.snapshot(PATH);
        }
        assertNotEquals(one.sizeClasses(), analyze().sizeClasses());
        assertFalse(one.largest().isEmpty());
    }
}
