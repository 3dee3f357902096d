package io.teff.bridge.chronicle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.util.Random;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: Chronicle's Bytes read and write chunks in place, inside of their bounds and of their scope only.
 *
 * <p>Method: what is written by one side is read by the other; accesses at and beyond the ends, after the scope, from
 * another thread.
 */
@Tag("modes")
@Tag("plain")
final class ChunkBytesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 3000, 200_000})
    void bytes_ofAChunk_areThoseOfTheChunk(int length) {
        byte[] model = new byte[length];
        new Random(length).nextBytes(model);
        try (Store store = Store.open()) {
            long cid = store.create(model);
            byte[] read = new byte[length];
            assertEquals(length, store.views().read(cid, ChunkBytes.reading(in -> {
                assertEquals(length, in.readRemaining());
                assertEquals(length, in.read(read));
                assertEquals(0, in.readRemaining());
            })));
            assertArrayEquals(model, read);
            new Random(~length).nextBytes(model);
            assertEquals(length, store.views().edit(cid, ChunkBytes.editing(bytes -> {
                bytes.writePosition(0).write(model);
                assertEquals(0, bytes.writeRemaining());
            })));
            assertArrayEquals(model, store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }

    @Test
    void objects_ofChronicle_areWrittenAndReadInPlace() {
        try (Store store = Store.open()) {
            long cid = store.create(100L);
            store.views().edit(cid, ChunkBytes.editing(
                bytes -> new Position("TEFF", 3, 1.5).writeMarshallable(bytes.writePosition(0))));
            Position position = new Position();
            store.views().read(cid, ChunkBytes.reading(position::readMarshallable));
            assertEquals("TEFF 3 1.5", position.symbol() + " " + position.quantity() + " " + position.price());
        }
    }

    @Test
    void values_ofMaps_areReadAndChangedInPlace() {
        try (Store store = Store.open()) {
            ChunkMap<String, byte[]> map = store.map("map", Codecs.STRING, Codecs.BYTES);
            ChunkSortedMap<Long, byte[]> sorted = store.sortedMap("sorted", Codecs.LONG, Codecs.BYTES);
            long[] sum = new long[1];
            for (int i = 0; i < 1000; i++) {
                map.put("key " + i, new byte[16]);
                sorted.put((long) i, new byte[16]);
                long value = i;
                assertTrue(map.update("key " + i, ChunkBytes.editing(bytes -> bytes.writeLong(8, value))));
                assertTrue(sorted.update(value, ChunkBytes.editing(bytes -> bytes.addAndGetLong(8, 2 * value))));
            }
            for (int i = 0; i < 1000; i++) {
                assertTrue(map.read("key " + i, ChunkBytes.reading(in -> sum[0] += in.readLong(8))));
                assertTrue(sorted.read((long) i, ChunkBytes.reading(in -> sum[0] += in.readLong(8))));
            }
            assertEquals(3 * 999 * 1000 / 2, sum[0]);
            store.audit();
        }
    }

    @Test
    void bytes_atAndBeyondTheEnds() {
        try (Store store = Store.open()) {
            long cid = store.create(16L);
            long behind = store.create(16L);
            assertEquals(16, store.views().edit(cid, ChunkBytes.editing(bytes -> {
                bytes.writeLong(8, -1);
                assertEquals(-1, bytes.readLong(8));
                for (long offset : new long[] {9, 16, 1000, -1, Long.MAX_VALUE}) {
                    assertThrows(RuntimeException.class, () -> bytes.readLong(offset));
                    assertThrows(RuntimeException.class, () -> bytes.writeLong(offset, 1));
                }
                assertThrows(BufferUnderflowException.class, () -> bytes.readLong(9));
                assertThrows(BufferOverflowException.class, () -> bytes.writeLong(9, 1));
                assertThrows(BufferOverflowException.class, () -> bytes.writeLong(1));
                assertThrows(BufferOverflowException.class, () -> bytes.writePosition(0).write(new byte[17]));
                assertThrows(BufferOverflowException.class, () -> bytes.writeLimit(17));
            })));
            assertArrayEquals(new byte[16], store.chunks().get(behind).orElseThrow());
            store.audit();
        }
    }

    @Test
    void bytes_ofNoBytes_areEmpty() {
        try (Store store = Store.open()) {
            long cid = store.create(0L);
            assertEquals(0, store.views().edit(cid, ChunkBytes.editing(bytes -> {
                assertEquals(0, bytes.readRemaining());
                assertThrows(BufferUnderflowException.class, () -> bytes.readByte(0));
                assertThrows(BufferOverflowException.class, () -> bytes.writeByte(0, (byte) 1));
            })));
        }
    }

    @Test
    void bytes_afterTheirScope_throwAndReachNothing() {
        try (Store store = Store.open()) {
            long cid = store.create(64L);
            BytesStore<?, ?>[] leaked = new BytesStore<?, ?>[2];
            BytesIn<?>[] leakedIn = new BytesIn<?>[1];
            store.views().edit(cid, ChunkBytes.editing(bytes -> {
                leaked[0] = bytes;
                leaked[1] = bytes.bytesForRead();
            }));
            store.views().read(cid, ChunkBytes.reading(in -> leakedIn[0] = in));
            assertThrows(IllegalStateException.class, () -> leaked[0].readLong(0));
            assertThrows(IllegalStateException.class, () -> leaked[0].writeLong(0, 1));
            assertThrows(IllegalStateException.class, () -> leaked[0].compareAndSwapLong(0, 0, 1));
            assertThrows(IllegalStateException.class, () -> leaked[0].addressForRead(0));
            assertThrows(IllegalStateException.class, () -> leakedIn[0].readLong());
            assertThrows(IllegalStateException.class, () -> leakedIn[0].readLong(0));
            assertThrows(RuntimeException.class, () -> leaked[1].readLong(8));
            assertThrows(RuntimeException.class, () -> leaked[1].writeLong(8, 1));
            assertThrows(RuntimeException.class, () -> leaked[0].bytesStore().readLong(0));
            assertArrayEquals(new byte[64], store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }

    @Test
    void bytes_thatAreReleasedInTheirScope_endWithoutHarm() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            assertEquals(8, store.views().edit(cid, ChunkBytes.editing(bytes -> bytes.releaseLast())));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void scope_thatThrows_endsItsBytes() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            Bytes<?>[] leaked = new Bytes<?>[1];
            assertThrows(ArithmeticException.class, () -> store.views().edit(cid, ChunkBytes.editing(bytes -> {
                leaked[0] = bytes;
                throw new ArithmeticException();
            })));
            assertThrows(IllegalStateException.class, () -> leaked[0].readLong(0));
        }
    }

    @Test
    void bytes_toRead_areNotWritten() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            store.views().read(cid, ChunkBytes.reading(in -> {
                Bytes<?> bytes = (Bytes<?>) in;
                assertThrows(UnsupportedOperationException.class, () -> bytes.writeLong(0, 1));
                assertThrows(UnsupportedOperationException.class, () -> bytes.compareAndSwapLong(0, 0, 1));
            }));
            assertArrayEquals(new byte[8], store.chunks().get(cid).orElseThrow());
        }
    }

    @Test
    void bytes_onAnotherThread_throw() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            store.views().edit(cid, ChunkBytes.editing(bytes -> {
                Throwable[] thrown = new Throwable[1];
                Thread thread = new Thread(
                    () -> thrown[0] = assertThrows(IllegalStateException.class, () -> bytes.writeLong(0, 1)));
                thread.start();
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                assertNotNull(thrown[0]);
            }));
            assertArrayEquals(new byte[8], store.chunks().get(cid).orElseThrow());
        }
    }

    @Test
    void peek_whichHoldsNothing_isRefused() {
        try (Store store = Store.open()) {
            long cid = store.create(8L);
            assertThrows(IllegalStateException.class,
                () -> store.views().peek(cid, ChunkBytes.reading(in -> in.readLong(0))));
        }
    }
}
