package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.error.Status;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a chunk may be as long as the memory; beyond 64 KiB, beyond a block, beyond 2 GiB.
 *
 * <p>Method: every operation on lengths around the borders of slots, blocks and ints.
 */
@Tag("modes")
final class LargeChunkTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @ValueSource(ints = {16_376, 16_377, 65_535, 65_536, 65_537, 1 << 20, (4 << 20) - 8, (4 << 20) - 7, 4 << 20,
        5_000_000, 16 << 20})
    void everyOperation_onLargeChunks(int length) {
        try (Store store = Stores.open(128)) {
            byte[] content = Content.of(length, 1);
            long cid = store.create(content);
            long neighbour = store.create(Content.of(length, 7));
            byte[] buffer = new byte[length + 1];
            assertEquals(length, store.get(cid, buffer));
            assertEquals(-1, Arrays.mismatch(buffer, 0, length, content, 0, length));
            assertEquals(Status.TOO_SMALL, store.get(cid, new byte[length - 1]));
            assertEquals(Status.OK, store.putBytes(cid, length - 9, new byte[9], 0, 9));
            Arrays.fill(content, length - 9, length, (byte) 0);
            assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, length - 8, new byte[9], 0, 9));
            assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, 1, buffer, 0, length));
            assertEquals(Status.OK, store.getBytes(cid, 1, buffer, 0, length - 1));
            assertEquals(-1, Arrays.mismatch(buffer, 0, length - 1, content, 1, length));
            assertEquals(Status.OK, store.fields().putLong(cid, length - 8, -5));
            assertEquals(-5, store.fields().getLong(cid, length - 8, 0));
            assertEquals(length, store.views().edit(cid, editor -> editor.copyFrom(content, 0, 0, length)));
            assertEquals(length, store.views().peek(cid, view -> view.copyTo(0, buffer, 0, length)));
            assertEquals(-1, Arrays.mismatch(buffer, 0, length, content, 0, length));
            assertEquals(Status.OK, store.resize(cid, length + 70_000L));
            assertArrayEquals(Arrays.copyOf(content, length + 70_000), store.chunks().get(cid).orElseThrow());
            assertEquals(Status.OK, store.resize(cid, length / 3));
            assertArrayEquals(Arrays.copyOf(content, length / 3), store.chunks().get(cid).orElseThrow());
            assertEquals(Status.OK, store.put(cid, content));
            assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
            assertEquals(Status.OK, store.put(cid, new byte[3]));
            assertArrayEquals(Content.of(length, 7), store.chunks().get(neighbour).orElseThrow());
            store.audit();
            assertEquals(3, store.remove(cid));
            assertEquals(length, store.remove(neighbour));
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void zeros_inReusedMemory() {
        try (Store store = Stores.open(64)) {
            for (int length : new int[] {50_000, 100_000, 5_000_000}) {
                long dirty = store.create((long) length);
                store.views().edit(dirty, editor -> {
                    for (int i = 0; i < length; i++) {
                        editor.putByte(i, (byte) -1);
                    }
                });
                store.remove(dirty);
                assertArrayEquals(new byte[length], store.chunks().get(store.create((long) length)).orElseThrow());
            }
        }
    }

    /** Without native access all memory is zeroed first, which takes long. */
    private static void assumeLargeChunks() {
        assumeTrue(Form.isLong() || LargeChunkTest.class.getModule().isNativeAccessEnabled());
    }

    @Test
    @FullTier("50 s and 8 GiB of memory. everyOperation_onLargeChunks has lengths on both sides of a slot and "
        + "of a block, and DefectsTest.batchBeyondTwoGiB_atSmallLimit_countsWhatWasMade has lengths beyond an int.")
    void chunkOf4GiB_createdWrittenResizedRemoved() {
        assumeLargeChunks();
        long length = 4 * GIB + 12_345;
        try (Store store = Store.open(Stores.small().memoryLimitBytes(10 * GIB).build())) {
            long cid = store.create(length);
            assertTrue(!Status.isStatus(cid), () -> Status.name(cid));
            assertEquals(length, store.size(cid));
            for (long at : new long[] {0, (4 << 20) - 3, GIB - 4, 2 * GIB - 4, 2 * GIB, 4 * GIB - 4, length - 8}) {
                assertEquals(0, store.fields().getLong(cid, at, -1));
                assertEquals(Status.OK, store.fields().putLong(cid, at, at + 1));
                assertEquals(at + 1, store.fields().getLong(cid, at, -1));
            }
            byte[] content = Content.of(200_000, 77);
            assertEquals(Status.OK, store.putBytes(cid, 2 * GIB - 100_000, content, 0, content.length));
            byte[] buffer = new byte[content.length];
            assertEquals(Status.OK, store.getBytes(cid, 2 * GIB - 100_000, buffer, 0, buffer.length));
            assertArrayEquals(content, buffer);
            assertEquals(Status.TOO_SMALL, store.get(cid, buffer));
            assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, length - 1, buffer, 0, 2));
            assertEquals(Status.OK, store.resize(cid, length + 4096));
            assertEquals(length - 8 + 1, store.fields().getLong(cid, length - 8, -1));
            assertEquals(0, store.fields().getLong(cid, length, -1));
            assertEquals(length + 4096, store.audit().payloadBytes());
            assertEquals(Status.FULL, store.create(9 * GIB));
            assertEquals(length + 4096, store.remove(cid));
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    @FullTier("6 s, and a file of 1 GiB. SnapshotTest writes and reads chunks that take several blocks.")
    void chunkOf1GiB_survivesSnapshot(@TempDir Path folder) {
        assumeLargeChunks();
        long length = GIB + 4321;
        Path path = folder.resolve("large.teff");
        long cid;
        try (Store store = Store.open(Stores.small().memoryLimitBytes(2 * GIB).build())) {
            cid = store.create(length);
            for (long at = 0; at < length - 8; at += 999_983) {
                store.fields().putLong(cid, at, at);
            }
            assertTrue(store.snapshot(path).fileBytes() > length);
        }
        try (Store store = Store.restore(path, Stores.small().memoryLimitBytes(2 * GIB).build())) {
            assertEquals(length, store.size(cid));
            for (long at = 0; at < length - 8; at += 999_983) {
                assertEquals(at, store.fields().getLong(cid, at, -1));
            }
            assertEquals(length, store.audit().payloadBytes());
        }
    }

    @Test
    void nativeSegments_inAndOut() {
        try (Store store = Stores.open(64); Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(9_000_000);
            MemorySegment target = arena.allocate(9_000_000);
            MemorySegment.copy(MemorySegment.ofArray(Content.of(9_000_000, 5)), 0, source, 0, 9_000_000);
            long cid = store.create(source, 3, 8_999_990);
            assertEquals(8_999_990, store.get(cid, target, 7));
            assertEquals(-1, source.asSlice(3, 8_999_990).mismatch(target.asSlice(7, 8_999_990)));
            assertEquals(Status.OK, store.put(cid, source, 5, 8_999_990));
            assertEquals(Status.OK, store.put(cid, source, 5, 4_000_000));
            assertEquals(4_000_000, store.get(cid, target, 0));
            assertEquals(-1, source.asSlice(5, 4_000_000).mismatch(target.asSlice(0, 4_000_000)));
            store.audit();
        }
    }
}
