package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.Limits;
import io.teff.engine.config.LockStep;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.report.AuditReport;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: a caller's mistake throws an exception that names the value, and changes nothing.
 *
 * <p>Method: every parameter below, above and around its range; afterwards the store is compared and audited.
 */
@Tag("modes")
final class ArgumentsTest {
    private static final int[][] BAD_RANGES = {{-1, 1}, {0, -1}, {0, 11}, {1, 10}, {11, 0}, {Integer.MAX_VALUE, 1},
        {1, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 0}, {-5, 5}};

    @Test
    void badRanges_throwAndChangeNothing() {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            byte[] ten = new byte[10];
            MemorySegment segment = MemorySegment.ofArray(ten);
            for (int[] range : BAD_RANGES) {
                int offset = range[0];
                int length = range[1];
                Map<String, Executable> calls = new LinkedHashMap<>();
                calls.put("create", () -> store.create(ten, offset, length));
                calls.put("create segment", () -> store.create(segment, offset, length));
                calls.put("put", () -> store.put(cid, ten, offset, length));
                calls.put("put segment", () -> store.put(cid, segment, offset, length));
                calls.put("putBytes", () -> store.putBytes(cid, 0, ten, offset, length));
                calls.put("putBytes segment", () -> store.putBytes(cid, 0, segment, offset, length));
                calls.put("getBytes", () -> store.getBytes(cid, 0, ten, offset, length));
                calls.put("getBytes segment", () -> store.getBytes(cid, 0, segment, offset, length));
                calls.put("createAt", () -> store.ids().createAt(Cid.of(0, 500), ten, offset, length));
                calls.put("createAt segment", () -> store.ids().createAt(Cid.of(0, 500), segment, offset, length));
                calls.put("reserve", () -> store.ids().reserve(new long[10], offset, length));
                calls.put("locks.create", () -> store.locks().create(ten, offset, length, true));
                calls.put("locks.put", () ->
                    store.locks().put(cid, ten, offset, length, LockStep.NONE, LockStep.NONE, 0));
                calls.put("batch.create", () -> store.batch().create(1, new long[10], offset, length, false));
                calls.put("batch.get", () -> store.batch().get(new long[10], offset, length, ten, 0, new int[20]));
                calls.put("batch.remove", () -> store.batch().remove(new long[10], offset, length, new long[20]));
                calls.put("batch.size", () -> store.batch().size(new long[10], offset, length, new long[20]));
                calls.put("batch.exists", () -> store.batch().exists(new long[10], offset, length, new boolean[20]));
                calls.forEach((name, call) -> {
                    RuntimeException e = assertThrows(RuntimeException.class, call, name + " " + offset + " " + length);
                    assertTrue(e instanceof IndexOutOfBoundsException, () -> name + ": " + e);
                    assertNotNull(e.getMessage(), name);
                });
            }
            unchanged(store, cid);
        }
    }

    private static void unchanged(Store store, long cid) {
        assertArrayEquals(Content.of(10, 1), store.chunks().get(cid).orElseThrow());
        AuditReport report = store.audit();
        assertEquals(1, report.chunks());
        assertEquals(0, report.lockedChunks());
        assertEquals(10, store.stats().payloadBytes());
    }

    @Test
    void badLengths_throw() {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            for (long length : new long[] {-1, Long.MIN_VALUE, Limits.CHUNK_BYTES_MAX + 1, Long.MAX_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> store.create(length));
                assertThrows(IllegalArgumentException.class, () -> store.resize(cid, length));
                assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(Cid.of(0, 500), length));
                assertThrows(IllegalArgumentException.class, () ->
                    store.batch().create(length, new long[1], 0, 1, true));
            }
            long[] cids = new long[2];
            assertThrows(IllegalArgumentException.class, () ->
                store.batch().create(null, new int[] {1, -1}, cids, 0, true));
            assertThrows(IndexOutOfBoundsException.class,
                () -> store.batch().create(MemorySegment.ofArray(new byte[5]), new int[] {3, 3}, cids, 0, false));
            assertThrows(IllegalArgumentException.class, () ->
                store.batch().put(cids, 0, MemorySegment.ofArray(new byte[5]),
                new int[] {-1, 3}, new int[2]));
            assertThrows(IndexOutOfBoundsException.class, () -> store.batch().put(cids, 0,
                MemorySegment.ofArray(new byte[5]), new int[] {3, 3}, new int[2]));
            assertEquals(0, cids[0]);
            unchanged(store, cid);
        }
    }

    @Test
    void chunkOffsetsOutOfRange_areAStatus() {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            byte[] ten = new byte[10];
            for (long at : new long[] {-1, 1, 10, 11, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE + 1L,
                1L << 32}) {
                assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, at, ten, 0, 10));
                assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, at, ten, 0, 10));
            }
            for (long at : new long[] {-1, 3, 10, 11, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 32}) {
                assertThrows(IndexOutOfBoundsException.class, () -> store.fields().getLong(cid, at, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> store.fields().putLong(cid, at, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> store.fields().compareAndSetLong(cid, at, 0, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> store.fields().getAndAddLong(cid, at, 0));
            }
            assertEquals(Status.OK, store.getBytes(cid, 10, ten, 0, 0));
            assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, 11, ten, 0, 0));
            unchanged(store, cid);
        }
    }

    @Test
    void strangeCids_areAbsent() {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            for (long strange : new long[] {0, -1, -9, Long.MIN_VALUE, Long.MAX_VALUE, cid + 1, cid + (1L << 40),
                cid + (1L << 48), Cid.of(Cid.NID_MAX, Cid.lid(-1L))}) {
                assertEquals(Status.ABSENT, store.get(strange, new byte[10]));
                assertEquals(Status.ABSENT, store.put(strange, new byte[10]));
                assertEquals(Status.ABSENT, store.remove(strange));
                assertEquals(Status.ABSENT, store.resize(strange, 4));
                assertEquals(Status.ABSENT, store.size(strange));
                assertEquals(Status.ABSENT, store.locks().lockRead(strange, 0));
                assertEquals(Status.ABSENT, store.locks().unlock(strange));
                assertEquals(Status.ABSENT, store.ids().unreserve(strange));
                assertEquals(Status.NOT_HELD, store.pins().unpin(strange));
                assertThrows(NoSuchElementException.class, () -> store.pins().pin(strange));
            }
            unchanged(store, cid);
        }
    }

    @Test
    void deadAndForeignSegments_throwAndChangeNothing() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(200_000);
            for (int length : new int[] {10, 20, 200_000}) {
                Threads.start("thief", ignored -> {
                    assertThrows(WrongThreadException.class, () -> store.create(segment, 0, length));
                    assertThrows(WrongThreadException.class, () -> store.put(cid, segment, 0, length));
                    assertThrows(WrongThreadException.class, () -> store.get(cid, segment, 0));
                    assertThrows(WrongThreadException.class, () ->
                        store.ids().createAt(Cid.of(4, 4), segment, 0, length));
                }).end();
                assertThrows(IllegalArgumentException.class, () -> store.get(cid, segment.asReadOnly(), 0));
            }
            arena.close();
            for (int length : new int[] {10, 20, 200_000}) {
                assertThrows(IllegalStateException.class, () -> store.create(segment, 0, length));
                assertThrows(IllegalStateException.class, () -> store.put(cid, segment, 0, length));
                assertThrows(IllegalStateException.class, () -> store.ids().createAt(Cid.of(4, 4), segment, 0, length));
                assertThrows(IllegalStateException.class,
                    () -> store.batch().create(segment, new int[] {length}, new long[1], 0, true));
            }
            unchanged(store, cid);
        }
    }

    @Test
    void nulls_throw() {
        try (Store store = Stores.open()) {
            long cid = store.create(Content.of(10, 1));
            assertThrows(NullPointerException.class, () -> store.create((byte[]) null));
            assertThrows(NullPointerException.class, () -> store.put(cid, null));
            assertThrows(NullPointerException.class, () -> store.get(cid, null));
            assertThrows(NullPointerException.class, () -> store.views().read(cid, null));
            assertThrows(NullPointerException.class, () -> store.views().edit(cid, null));
            assertThrows(NullPointerException.class, () -> StoreConfig.builder().name(null));
            assertThrows(NullPointerException.class, () -> StoreConfig.builder().debugLevel(null));
            unchanged(store, cid);
        }
    }

    @Test
    void configuration_isCheckedAtOnce() {
        StoreConfig.Builder builder = StoreConfig.builder();
        for (int nid : new int[] {-1, Cid.NID_MAX + 1}) {
            assertThrows(IllegalArgumentException.class, () -> builder.nid(nid));
        }
        for (long bytes : new long[] {-1, 0, Limits.MEMORY_BYTES_MIN - 1, Limits.MEMORY_BYTES_MAX + 1}) {
            assertThrows(IllegalArgumentException.class, () -> builder.memoryLimitBytes(bytes));
        }
        assertThrows(IllegalArgumentException.class, () -> builder.lockTimeoutNs(-1));
        assertTrue(StoreConfig.defaults().memoryLimitBytes() >= Limits.MEMORY_BYTES_MIN);
        assertEquals(Limits.LOCK_TIMEOUT_NS_DEFAULT, StoreConfig.defaults().lockTimeoutNs());
    }

    @Test
    void comfortableForm_throwsWhatTheHotFormReturns() {
        try (Store store = Stores.open(4)) {
            Chunks chunks = store.chunks();
            long absent = Cid.of(0, 99);
            assertTrue(chunks.get(absent).isEmpty());
            assertThrows(NoSuchElementException.class, () -> chunks.put(absent, new byte[1]));
            assertThrows(NoSuchElementException.class, () -> chunks.resize(absent, 1));
            assertTrue(!chunks.remove(absent));
            long cid = chunks.create(new byte[600]);
            chunks.resize(cid, 700);
            assertEquals(700, chunks.get(cid).orElseThrow().length);
            assertEquals(StoreException.Category.DEGRADED,
                assertThrows(StoreException.class, () -> chunks.create(new byte[5_000_000])).category());
            assertEquals(StoreException.Category.DEGRADED,
                assertThrows(StoreException.class, () -> chunks.resize(cid, 5_000_000)).category());
            store.seal(cid);
            assertEquals(StoreException.Category.RETRY,
                assertThrows(StoreException.class, () -> chunks.put(cid, new byte[1])).category());
            assertTrue(chunks.remove(cid));
            store.audit();
        }
    }
}
