package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: chunks beyond slots, units, blocks and 32 bits behave like small ones. */
@Tag("modes")
final class LargeChunkTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {2046, 2047, 16_376, 16_377, 16_384, 65_535, 65_536, 65_537, 1 << 20, (1 << 20) + 1, (1 << 22) - 9,
        (1 << 22) - 8, (1 << 22) - 7, 1 << 22, 16 << 20})
    void everyOperation_worksAtBorders(int length) {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(256 << 20).build())) {
            byte[] content = Content.of(length, 77);
            long cid = store.create(content);
            long neighbour = store.create(content);
            assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
            byte[] other = Content.of(length, 78);
            assertEquals(Status.OK, store.put(cid, other));
            assertEquals(length, store.get(cid, new byte[length]));
            assertArrayEquals(other, store.chunks().get(cid).orElseThrow());
            byte[] part = new byte[100];
            assertEquals(Status.OK, store.getBytes(cid, length - 100, part, 0, 100));
            assertArrayEquals(Arrays.copyOfRange(other, length - 100, length), part);
            assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, length - 99, part, 0, 100));
            assertEquals(Status.OK, store.resize(cid, length + 1));
            assertEquals(Status.OK, store.resize(cid, length - 1));
            assertEquals(length - 1, store.size(cid));
            assertEquals(Status.OK, store.resize(cid, 10));
            assertArrayEquals(Arrays.copyOf(other, 10), store.chunks().get(cid).orElseThrow());
            store.audit();
            assertEquals(10, store.remove(cid));
            assertArrayEquals(content, store.chunks().get(neighbour).orElseThrow());
            assertEquals(length, store.remove(neighbour));
            store.audit();
        }
    }

    @Test
    void beyondTheLimit_isFullAndChangesNothing() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(32 << 20).build())) {
            long small = store.create(100);
            StoreStats before = store.stats();
            assertEquals(Status.FULL, store.create(40L << 20));
            assertEquals(Status.FULL, store.create(8L << 40 >> 1));
            assertEquals(Status.FULL, store.resize(small, 40L << 20));
            assertEquals(before.usedBytes(), store.stats().usedBytes());
            assertEquals(100, store.size(small));
            store.audit();
        }
    }

    @Test
    void fourGibibytes_areOneChunk() {
        long length = 4 * GIB + (2 << 20) + 12_345;
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(12 * GIB).build());
             Arena arena = Arena.ofConfined()) {
            long before = store.create(1000);
            long cid = store.create(length);
            assertFalse(Status.isStatus(cid), Status.name(cid));
            assertEquals(length, store.size(cid));
            MemorySegment piece = arena.allocate(1 << 20);
            piece.fill((byte) 9);
            for (long at : new long[] {0, 2 * GIB - 17, 4 * GIB - (1 << 19), length - (1 << 20)}) {
                assertEquals(Status.OK, store.putBytes(cid, at, piece, 0, 1 << 20));
            }
            MemorySegment back = arena.allocate(1 << 20);
            for (long at : new long[] {0, 2 * GIB - 17, 4 * GIB - (1 << 19), length - (1 << 20)}) {
                assertEquals(Status.OK, store.getBytes(cid, at, back, 0, 1 << 20));
                assertEquals(-1, piece.mismatch(back));
            }
            assertEquals(Status.OK, store.getBytes(cid, 1 << 20, back, 0, 1 << 20));
            assertEquals(-1, back.mismatch(arena.allocate(1 << 20)), "what was not written is zero");
            assertEquals(9, store.fields().getByte(cid, length - 1, (byte) -1));
            assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, length - 1, piece, 0, 2));
            long after = store.create(1000);
            store.audit();
            assertEquals(length, store.remove(cid));
            assertEquals(1000, store.size(before));
            assertEquals(1000, store.size(after));
            store.audit();
            assertTrue(store.stats().usedBytes() < 4 << 20);
        }
    }

    @Test
    void snapshotOfMoreThanABlock_comesBack() {
        int length = 100 << 20;
        Path file = folder.resolve("large.teff");
        byte[] content = Content.of(length, 5);
        long cid;
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(GIB).build())) {
            cid = store.create(content);
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, StoreConfig.builder().memoryLimitBytes(GIB).build())) {
            assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }
}
