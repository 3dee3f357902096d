package io.teff.bridge.agrona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a ChunkBuffer does what Agrona's UnsafeBuffer does, byte for byte, and never more than its scope allows.
 *
 * <p>Method: random operations on both, of the same seed; then what the one refuses that the other allows.
 */
@Tag("modes")
@Tag("plain")
final class ChunkBufferTest {
    private static final int BYTES = 100;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void operations_onAChunk_doWhatTheyDoOnAnUnsafeBuffer(long seed) {
        byte[] model = new byte[BYTES];
        new Random(seed).nextBytes(model);
        try (Store store = Store.open()) {
            long cid = store.create(model);
            UnsafeBuffer expected = new UnsafeBuffer(model);
            store.views().edit(cid, editor -> {
                MutableChunkBuffer actual = new MutableChunkBuffer().on(editor);
                for (int step = 0; step < 3000; step++) {
                    long here = seed * 1_000_003 + step;
                    String wanted = BufferOperations.apply(expected, new Random(here));
                    assertEquals(wanted, BufferOperations.apply(actual, new Random(here)), "step of seed " + here);
                }
            });
            assertArrayEquals(model, store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }

    @Test
    void part_ofABuffer_hasItsLengthOnly() {
        onEditor(16, buffer -> {
            MutableChunkBuffer part = new MutableChunkBuffer();
            part.wrap(buffer, 4, 8);
            assertEquals(8, part.capacity());
            assertEquals(4, part.wrapAdjustment());
            part.putLong(0, -1);
            assertEquals(-1, buffer.getLong(4));
            assertEquals(0, buffer.getInt(0));
            assertThrows(IndexOutOfBoundsException.class, () -> part.getLong(1));
            assertThrows(IndexOutOfBoundsException.class, () -> part.putByte(8, (byte) 1));
            assertThrows(IndexOutOfBoundsException.class, () -> part.getByte(-1));
            assertThrows(IndexOutOfBoundsException.class, () -> part.wrap(buffer, 9, 8));
            assertThrows(IndexOutOfBoundsException.class, () -> part.checkLimit(9));
            part.wrap(buffer);
            assertEquals(16, part.capacity());
        });
    }

    @Test
    void copies_inAndOutOfOtherBuffers_areTheBytes() {
        byte[] bytes = new byte[21];
        new Random(7).nextBytes(bytes);
        onEditor(bytes.length, buffer -> {
            List<MutableDirectBuffer> others = List.of(new UnsafeBuffer(new byte[40], 3, 30),
                new UnsafeBuffer(ByteBuffer.allocateDirect(40)), new ExpandableArrayBuffer(2));
            for (MutableDirectBuffer other : others) {
                buffer.putBytes(0, bytes);
                buffer.getBytes(0, other, 5, bytes.length);
                assertArrayEquals(bytes, bytes(other, 5, bytes.length));
                buffer.setMemory(0, bytes.length, (byte) 0);
                buffer.putBytes(0, other, 5, bytes.length);
                assertArrayEquals(bytes, bytes(buffer, 0, bytes.length));
            }
            UnsafeBuffer small = new UnsafeBuffer(new byte[40], 3, 8);
            assertThrows(IndexOutOfBoundsException.class, () -> buffer.getBytes(0, small, 0, 9));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 3})
    void copy_insideOfAChunk_whenRangesOverlap_movesTheOldBytes(int distance) {
        onEditor(40, buffer -> {
            byte[] model = new byte[40];
            new Random(1).nextBytes(model);
            buffer.putBytes(0, model);
            buffer.putBytes(8 + distance, buffer, 8, 20);
            System.arraycopy(model, 8, model, 8 + distance, 20);
            assertArrayEquals(model, bytes(buffer, 0, 40));
            buffer.getBytes(8, buffer, 8 + distance, 20);
            System.arraycopy(model, 8, model, 8 + distance, 20);
            assertArrayEquals(model, bytes(buffer, 0, 40));
        });
    }

    @Test
    void compareTo_isByUnsignedBytesThenByLength() {
        onEditor(12, buffer -> {
            buffer.putByte(10, (byte) 0x80);
            byte[] same = bytes(buffer, 0, 12);
            assertEquals(0, buffer.compareTo(new UnsafeBuffer(same)));
            same[10] = 0x7F;
            assertTrue(buffer.compareTo(new UnsafeBuffer(same)) > 0);
            same[0] = 1;
            assertTrue(buffer.compareTo(new UnsafeBuffer(same)) < 0);
            assertTrue(buffer.compareTo(new UnsafeBuffer(new byte[9])) > 0);
        });
    }

    @Test
    void naturalNumbers_withASign_areRefused() {
        onEditor(12, buffer -> {
            buffer.putIntAscii(0, -42);
            assertEquals(-42, buffer.parseIntAscii(0, 3));
            assertThrows(NumberFormatException.class, () -> buffer.parseNaturalIntAscii(0, 3));
            assertThrows(NumberFormatException.class, () -> buffer.parseNaturalLongAscii(0, 3));
            assertThrows(NumberFormatException.class, () -> buffer.putNaturalPaddedIntAscii(0, 3, 1000));
            assertThrows(IllegalArgumentException.class, () -> buffer.putNaturalIntAscii(0, -1));
            assertEquals(4, buffer.putNaturalIntAsciiFromEnd(0, 5));
            assertEquals('0', buffer.getByte(4));
        });
    }

    @Test
    void address_andForeignMemory_areRefused() {
        onEditor(8, buffer -> {
            assertThrows(UnsupportedOperationException.class, buffer::addressOffset);
            assertThrows(UnsupportedOperationException.class, () -> new UnsafeBuffer(new byte[8]).wrap(buffer));
            assertThrows(UnsupportedOperationException.class, () -> buffer.wrap(new byte[8]));
            assertThrows(UnsupportedOperationException.class, () -> buffer.wrap(ByteBuffer.allocate(8)));
            assertThrows(UnsupportedOperationException.class, () -> buffer.wrap(0L, 8));
            assertThrows(UnsupportedOperationException.class, () -> buffer.wrap(new UnsafeBuffer(new byte[8])));
            assertNull(buffer.byteArray());
            assertNull(buffer.byteBuffer());
            assertFalse(buffer.isExpandable());
        });
    }

    @Test
    void mutableBuffer_whereOnlyReadingIsAllowed_isRefused() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            assertEquals(8, store.views().read(cid, view -> {
                assertThrows(IllegalArgumentException.class, () -> new MutableChunkBuffer().on(view));
                ChunkBuffer reading = new ChunkBuffer().on(view);
                assertThrows(UnsupportedOperationException.class, () -> new MutableChunkBuffer().wrap(reading));
            }));
        }
    }

    @Test
    void buffer_onAnotherThread_throws() {
        onEditor(8, buffer -> {
            Throwable[] thrown = new Throwable[2];
            Thread thread = new Thread(() -> {
                thrown[0] = assertThrows(IllegalStateException.class, () -> buffer.getLong(0));
                thrown[1] = assertThrows(IllegalStateException.class, () -> buffer.putLong(0, 1));
            });
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertFalse(Arrays.asList(thrown).contains(null));
            assertEquals(0, buffer.getLong(0));
        });
    }

    @Test
    void buffer_onNoView_throws() {
        ChunkBuffer buffer = new ChunkBuffer();
        assertEquals(0, buffer.capacity());
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(0));
        assertThrows(IllegalStateException.class, () -> buffer.getBytes(0, new byte[0]));
    }

    private static byte[] bytes(DirectBuffer buffer, int index, int length) {
        byte[] copy = new byte[length];
        buffer.getBytes(index, copy);
        return copy;
    }

    private static void onEditor(int length, Consumer<MutableChunkBuffer> action) {
        try (Store store = Store.open()) {
            long cid = store.create((long) length);
            assertEquals(length, store.views().edit(cid, editor -> action.accept(new MutableChunkBuffer().on(editor))));
            store.audit();
        }
    }
}
