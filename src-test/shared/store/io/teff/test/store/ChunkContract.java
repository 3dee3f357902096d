package io.teff.test.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.TypedChunks;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of operations on chunks, for any {@link ChunkStore}: each status, and a closed store. There is one test
 * class per kind of store, which extends {@link LockContract} or, if the store has all operations,
 * {@link ChunkStoreContract}.
 */
public abstract class ChunkContract {
    private static final long MEMORY_BYTES = 64L << 20;
    static final long SHORT_NS = 20_000_000;
    static final long PATIENCE_S = 60;
    static final byte[] ABC = {1, 2, 3};
    static final byte[] OTHER = {9, 8, 7, 6, 5};
    /** Longer than the limit for optimistic copies. */
    private static final int LONG_BYTES = 100_000;

    final ExecutorService other = Executors.newSingleThreadExecutor();
    ChunkStore store;

    /** For subclasses. */
    protected ChunkContract() {}

    /** Opens an empty store. */
    protected abstract ChunkStore open(StoreConfig config) throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        store = open(config(MEMORY_BYTES));
    }

    @AfterEach
    final void closeStore() throws Exception {
        store.close();
        other.shutdown();
        assertTrue(other.awaitTermination(PATIENCE_S, TimeUnit.SECONDS));
    }

    static StoreConfig config(long memoryBytes) {
        return StoreConfig.builder().memoryLimitBytes(memoryBytes).lockTimeoutNs(SHORT_NS).build();
    }

    /** Runs something on another thread, always the same one. */
    final <T> T elsewhere(Callable<T> task) throws Exception {
        Future<T> result = other.submit(task);
        return result.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    final byte[] content(long cid) {
        byte[] content = new byte[(int) store.size(cid)];
        assertEquals(content.length, store.get(cid, content));
        return content;
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + 7);
        }
        return bytes;
    }

    // ---- single operations ----

    @Test
    final void create_eachForm_keepsTheContent() {
        assertArrayEquals(ABC, content(store.create(ABC)));
        assertArrayEquals(new byte[] {2, 3}, content(store.create(ABC, 1, 2)));
        assertArrayEquals(new byte[] {3}, content(store.create(MemorySegment.ofArray(ABC), 2, 1)));
        assertArrayEquals(new byte[5], content(store.create(5)));
        assertArrayEquals(new byte[0], content(store.create(new byte[0])));
        assertArrayEquals(bytes(LONG_BYTES), content(store.create(bytes(LONG_BYTES))));
        assertArrayEquals(ABC, content(store.createReadOnly(ABC)));
    }

    @Test
    final void create_twice_givesTwoCids() {
        Set<Long> cids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            assertTrue(cids.add(store.create(ABC)));
        }
        assertFalse(cids.stream().anyMatch(cid -> Status.isStatus(cid) || cid == 0));
    }

    @Test
    final void create_badArgument_throws() {
        assertThrows(IndexOutOfBoundsException.class, () -> store.create(ABC, 2, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> store.create(MemorySegment.ofArray(ABC), -1, 1));
        assertThrows(IllegalArgumentException.class, () -> store.create(-1));
    }

    @Test
    final void get_eachForm_copies() {
        long cid = store.create(ABC);
        byte[] target = new byte[8];
        assertEquals(3, store.get(cid, target));
        assertArrayEquals(ABC, Arrays.copyOf(target, 3));
        assertEquals(3, store.get(cid, target, 5));
        assertArrayEquals(ABC, Arrays.copyOfRange(target, 5, 8));
        assertEquals(3, store.get(cid, MemorySegment.ofArray(target), 2));
        assertArrayEquals(ABC, Arrays.copyOfRange(target, 2, 5));
        assertEquals(Status.OK, store.getBytes(cid, 1, target, 0, 2));
        assertArrayEquals(new byte[] {2, 3}, Arrays.copyOf(target, 2));
        assertEquals(Status.OK, store.getBytes(cid, 2, MemorySegment.ofArray(target), 7, 1));
        assertEquals(3, target[7]);
    }

    /** Short chunks are copied in several ways, which depend on the length and on the target. */
    @Test
    final void get_eachLengthIntoEachRoom_copiesItAndKeepsWhatIsAround() {
        for (int length = 0; length <= 300; length++) {
            byte[] content = bytes(length);
            long cid = store.create(content);
            for (int room : new int[] {length, length + 1, length + 127, length + 128, length + 500}) {
                byte[] target = new byte[room];
                assertEquals(length, store.get(cid, target));
                assertArrayEquals(content, Arrays.copyOf(target, length), "length=" + length + " room=" + room);
                byte[] around = new byte[room + 3];
                Arrays.fill(around, (byte) -1);
                assertEquals(length, store.get(cid, around, 3));
                byte[] expected = new byte[room + 3];
                Arrays.fill(expected, (byte) -1);
                System.arraycopy(content, 0, expected, 3, length);
                assertArrayEquals(expected, around, "length=" + length + " room=" + room);
            }
            store.remove(cid);
        }
    }

    @Test
    final void get_tooSmallTarget_isRefused() {
        long cid = store.create(ABC);
        assertEquals(Status.TOO_SMALL, store.get(cid, new byte[2]));
        assertEquals(Status.TOO_SMALL, store.get(cid, new byte[4], 2));
        assertEquals(Status.TOO_SMALL, store.get(cid, MemorySegment.ofArray(new byte[4]), 3));
        assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, 2, new byte[8], 0, 2));
        assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, -1, MemorySegment.ofArray(new byte[8]), 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> store.getBytes(cid, 0, new byte[2], 1, 2));
    }

    @Test
    final void put_eachForm_replaces() {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.put(cid, OTHER));
        assertArrayEquals(OTHER, content(cid));
        assertEquals(Status.OK, store.put(cid, OTHER, 1, 2));
        assertArrayEquals(new byte[] {8, 7}, content(cid));
        assertEquals(Status.OK, store.put(cid, MemorySegment.ofArray(ABC), 0, 3));
        assertArrayEquals(ABC, content(cid));
        assertEquals(Status.OK, store.put(cid, bytes(LONG_BYTES)));
        assertArrayEquals(bytes(LONG_BYTES), content(cid));
        assertEquals(Status.OK, store.put(cid, new byte[0]));
        assertEquals(0, store.size(cid));
    }

    @Test
    final void putBytes_eachForm_changesAPart() {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.putBytes(cid, 1, OTHER, 0, 2));
        assertArrayEquals(new byte[] {1, 9, 8}, content(cid));
        assertEquals(Status.OK, store.putBytes(cid, 0, MemorySegment.ofArray(OTHER), 4, 1));
        assertArrayEquals(new byte[] {5, 9, 8}, content(cid));
        assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, 2, OTHER, 0, 2));
        assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, 4, MemorySegment.ofArray(OTHER), 0, 1));
        assertArrayEquals(new byte[] {5, 9, 8}, content(cid));
    }

    @Test
    final void resize_keepsTheFront_andAddsZeros() {
        long cid = store.create(ABC);
        assertEquals(Status.OK, store.resize(cid, 5));
        assertArrayEquals(new byte[] {1, 2, 3, 0, 0}, content(cid));
        assertEquals(Status.OK, store.resize(cid, 2));
        assertArrayEquals(new byte[] {1, 2}, content(cid));
        assertEquals(Status.OK, store.resize(cid, LONG_BYTES));
        assertEquals(LONG_BYTES, store.size(cid));
        assertEquals(2, content(cid)[1]);
        assertThrows(IllegalArgumentException.class, () -> store.resize(cid, -1));
    }

    @Test
    final void remove_makesTheCidAbsent() {
        long cid = store.create(ABC);
        assertTrue(store.exists(cid));
        assertEquals(3, store.remove(cid));
        assertFalse(store.exists(cid));
        assertAbsent(cid);
        for (int i = 0; i < 100; i++) {
            assertNotEquals(cid, store.create(ABC));
        }
    }

    private void assertAbsent(long cid) {
        assertEquals(Status.ABSENT, store.size(cid));
        assertEquals(Status.ABSENT, store.get(cid, new byte[8]));
        assertEquals(Status.ABSENT, store.get(cid, new byte[8], 1));
        assertEquals(Status.ABSENT, store.get(cid, MemorySegment.ofArray(new byte[8]), 0));
        assertEquals(Status.ABSENT, store.getBytes(cid, 0, new byte[8], 0, 1));
        assertEquals(Status.ABSENT, store.getBytes(cid, 0, MemorySegment.ofArray(new byte[8]), 0, 1));
        assertEquals(Status.ABSENT, store.put(cid, ABC));
        assertEquals(Status.ABSENT, store.put(cid, ABC, 0, 1));
        assertEquals(Status.ABSENT, store.put(cid, MemorySegment.ofArray(ABC), 0, 1));
        assertEquals(Status.ABSENT, store.putBytes(cid, 0, ABC, 0, 1));
        assertEquals(Status.ABSENT, store.putBytes(cid, 0, MemorySegment.ofArray(ABC), 0, 1));
        assertEquals(Status.ABSENT, store.resize(cid, 1));
        assertEquals(Status.ABSENT, store.remove(cid));
        assertEquals(Status.ABSENT, store.seal(cid));
        assertEquals(Status.ABSENT, store.fields().putLong(cid, 0, 1));
        assertEquals(Status.ABSENT, store.fields().compareAndSetInt(cid, 0, 1, 2));
    }

    @Test
    final void seal_refusesChanges_andAllowsRemove() {
        long sealed = store.create(new byte[8]);
        assertEquals(Status.OK, store.seal(sealed));
        assertEquals(Status.OK, store.seal(sealed));
        for (long cid : new long[] {sealed, store.createReadOnly(new byte[8])}) {
            assertEquals(Status.READ_ONLY, store.put(cid, ABC));
            assertEquals(Status.READ_ONLY, store.putBytes(cid, 0, ABC, 0, 1));
            assertEquals(Status.READ_ONLY, store.resize(cid, 3));
            assertEquals(Status.READ_ONLY, store.fields().putLong(cid, 0, 1));
            assertEquals(Status.READ_ONLY, store.fields().compareAndSetLong(cid, 0, 0, 1));
            assertArrayEquals(new byte[8], content(cid));
            assertEquals(8, store.remove(cid));
        }
    }

    @Test
    final void full_isAStatus_andRoomComesBack() throws Exception {
        try (ChunkStore small = open(config(4L << 20))) {
            List<Long> cids = new ArrayList<>();
            long cid = small.create(bytes(1 << 19));
            while (cid != Status.FULL) {
                cids.add(cid);
                cid = small.create(bytes(1 << 19));
            }
            assertTrue(cids.size() > 2, cids::toString);
            while (small.create(bytes(1 << 16)) != Status.FULL) {
                assertTrue(small.isOpen());
            }
            assertEquals(Status.FULL, small.create(1 << 20));
            assertEquals(Status.FULL, small.createReadOnly(bytes(1 << 20)));
            assertEquals(Status.FULL, small.put(cids.getFirst(), bytes(1 << 20)));
            assertEquals(Status.FULL, small.resize(cids.getFirst(), 1 << 20));
            assertEquals(StoreException.Category.DEGRADED, assertThrows(StoreException.class,
                () -> small.chunks().create(bytes(1 << 20))).category());
            assertEquals(1 << 19, small.remove(cids.getLast()));
            assertTrue(small.create(bytes(1 << 18)) > 0);
        }
    }

    // ---- form with exceptions, objects ----

    @Test
    final void chunks_useOptionalAndExceptions() {
        long cid = store.chunks().create(ABC);
        assertArrayEquals(ABC, store.chunks().get(cid).orElseThrow());
        store.chunks().put(cid, bytes(2000));
        assertArrayEquals(bytes(2000), store.chunks().get(cid).orElseThrow());
        store.chunks().resize(cid, 1);
        assertEquals(1, store.size(cid));
        assertTrue(store.chunks().remove(cid));
        assertFalse(store.chunks().remove(cid));
        assertTrue(store.chunks().get(cid).isEmpty());
        assertThrows(NoSuchElementException.class, () -> store.chunks().put(cid, ABC));
        assertThrows(NoSuchElementException.class, () -> store.chunks().resize(cid, 1));
    }

    @Test
    final void typedChunks_keepObjects() {
        TypedChunks<String> texts = new TypedChunks<>(store, Codecs.STRING);
        long cid = texts.create("one");
        assertEquals("one", texts.get(cid).orElseThrow());
        texts.put(cid, "x".repeat(5000));
        assertEquals(5000, texts.get(cid).orElseThrow().length());
        assertTrue(texts.remove(cid));
        assertTrue(texts.get(cid).isEmpty());
    }

    // ---- fields ----

    @Test
    final void fields_eachSize_isWrittenAndRead() {
        long cid = store.create(20);
        assertEquals(Status.OK, store.fields().putLong(cid, 0, Long.MIN_VALUE + 5));
        assertEquals(Status.OK, store.fields().putInt(cid, 9, -7));
        assertEquals(Status.OK, store.fields().putShort(cid, 13, (short) -300));
        assertEquals(Status.OK, store.fields().putByte(cid, 19, (byte) -1));
        assertEquals(Long.MIN_VALUE + 5, store.fields().getLong(cid, 0, 0));
        assertEquals(-7, store.fields().getInt(cid, 9, 0));
        assertEquals(-300, store.fields().getShort(cid, 13, (short) 0));
        assertEquals(-1, store.fields().getByte(cid, 19, (byte) 0));
        assertEquals(5, content(cid)[0]);
    }

    @Test
    final void fields_compareAndAdd() {
        long cid = store.create(16);
        assertEquals(1, store.fields().compareAndSetLong(cid, 0, 0, 7));
        assertEquals(0, store.fields().compareAndSetLong(cid, 0, 0, 8));
        assertEquals(1, store.fields().compareAndSetInt(cid, 8, 0, -2));
        assertEquals(0, store.fields().compareAndSetInt(cid, 8, 0, 3));
        assertEquals(7, store.fields().getAndAddLong(cid, 0, -10));
        assertEquals(-3, store.fields().getLong(cid, 0, 0));
        assertEquals(-2, store.fields().getAndAddInt(cid, 8, 5));
        assertEquals(3, store.fields().getInt(cid, 8, 0));
    }

    @Test
    final void fields_absentOrOutside() {
        long cid = store.create(8);
        assertThrows(IndexOutOfBoundsException.class, () -> store.fields().getLong(cid, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> store.fields().putInt(cid, -1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> store.fields().compareAndSetLong(cid, 8, 0, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> store.fields().getAndAddInt(cid, 6, 0));
        store.remove(cid);
        assertEquals(-5, store.fields().getLong(cid, 0, -5));
        assertEquals(-6, store.fields().getInt(cid, 0, -6));
        assertEquals(-7, store.fields().getShort(cid, 0, (short) -7));
        assertEquals(-8, store.fields().getByte(cid, 0, (byte) -8));
        assertThrows(NoSuchElementException.class, () -> store.fields().getAndAddLong(cid, 0, 1));
        assertThrows(NoSuchElementException.class, () -> store.fields().getAndAddInt(cid, 0, 1));
    }

    @Test
    final void fields_concurrentAdds_areAllCounted() throws Exception {
        long cid = store.create(8);
        final int rounds = 2000;
        Future<?> there = other.submit(() -> {
            for (int i = 0; i < rounds; i++) {
                store.fields().getAndAddLong(cid, 0, 1);
            }
        });
        for (int i = 0; i < rounds; i++) {
            store.fields().getAndAddLong(cid, 0, 1);
        }
        there.get(PATIENCE_S, TimeUnit.SECONDS);
        assertEquals(2 * rounds, store.fields().getLong(cid, 0, -1));
    }

    // ---- batches ----

    @Test
    final void batch_createGetRemove() {
        long[] cids = new long[102];
        assertEquals(100, store.batch().create(4, cids, 2, 100, false));
        for (int i = 2; i < 102; i++) {
            assertEquals(Status.OK, store.fields().putInt(cids[i], 0, i));
        }
        int[] lengths = new int[100];
        byte[] target = new byte[401];
        assertEquals(400, store.batch().get(cids, 2, 100, target, 1, lengths));
        assertEquals(4, lengths[99]);
        assertEquals(101, target[397]);
        byte[] copy = new byte[401];
        assertEquals(400, store.batch().get(cids, 2, 100, MemorySegment.ofArray(copy), 1, lengths));
        assertArrayEquals(target, copy);
        long[] results = new long[100];
        assertEquals(99, store.batch().remove(cids, 3, 99, results));
        assertEquals(4, results[98]);
        assertEquals(0, store.batch().remove(cids, 3, 99, results));
        assertEquals(Status.ABSENT, results[0]);
        assertEquals(4, store.batch().get(cids, 2, 2, target, 0, lengths));
        assertEquals(Status.ABSENT, lengths[1]);
    }

    @Test
    final void batch_consecutiveCids_andLengths() {
        long[] cids = new long[3];
        MemorySegment source = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6});
        assertEquals(3, store.batch().create(source, new int[] {1, 2, 3}, cids, 0, true));
        assertEquals(cids[0] + 1, cids[1]);
        assertEquals(cids[0] + 2, cids[2]);
        assertArrayEquals(new byte[] {4, 5, 6}, content(cids[2]));
        assertEquals(3, store.batch().create(null, new int[] {1, 2, 3}, cids, 0, false));
        assertArrayEquals(new byte[3], content(cids[2]));
        long[] many = new long[5000];
        assertEquals(5000, store.batch().create(16, many, 0, 5000, true));
        assertEquals(many[0] + 4999, many[4999]);
    }

    @Test
    final void batch_putResizeSizeExists() {
        long[] cids = {store.create(ABC), store.create(ABC), store.createReadOnly(ABC)};
        int[] statuses = new int[3];
        MemorySegment source = MemorySegment.ofArray(bytes(10));
        assertEquals(2, store.batch().put(cids, 0, source, new int[] {4, 3, 3}, statuses));
        assertArrayEquals(new int[] {Status.OK, Status.OK, Status.READ_ONLY}, statuses);
        assertEquals(4, store.size(cids[0]));
        assertEquals(1, store.batch().resize(cids, 1, new long[] {9, 9}, statuses));
        assertEquals(Status.READ_ONLY, statuses[1]);
        long[] sizes = new long[3];
        assertEquals(3, store.batch().size(cids, 0, 3, sizes));
        assertArrayEquals(new long[] {4, 9, 3}, sizes);
        store.remove(cids[1]);
        boolean[] exist = new boolean[3];
        assertEquals(2, store.batch().exists(cids, 0, 3, exist));
        assertFalse(exist[1]);
        assertEquals(2, store.batch().size(cids, 0, 3, sizes));
        assertEquals(Status.ABSENT, sizes[1]);
    }

    @Test
    final void batch_getLong_readsAFieldOfEach() {
        long[] cids = new long[100];
        assertEquals(100, store.batch().create(8, cids, 0, 100, false));
        for (int i = 0; i < 100; i++) {
            store.fields().putLong(cids[i], 0, i * 3L);
        }
        store.remove(cids[50]);
        long[] values = new long[100];
        store.batch().getLong(cids, 0, 100, 0, -1, values);
        assertEquals(297, values[99]);
        assertEquals(-1, values[50]);
        assertThrows(IndexOutOfBoundsException.class, () -> store.batch().getLong(cids, 0, 1, 4, 0, values));
        assertThrows(IndexOutOfBoundsException.class, () -> store.batch().getLong(cids, 99, 2, 0, 0, values));
    }

    // ---- ids ----

    @Test
    final void ids_reserveAndCreateAt() {
        long cid = store.ids().reserve();
        assertFalse(store.exists(cid));
        assertEquals(Status.OK, store.ids().createAt(cid, ABC));
        assertArrayEquals(ABC, content(cid));
        assertEquals(Status.EXISTS, store.ids().createAt(cid, ABC));
        long[] cids = new long[5];
        assertEquals(4, store.ids().reserve(cids, 1, 4));
        assertEquals(cids[1] + 3, cids[4]);
        assertEquals(Status.OK, store.ids().createAt(cids[1], OTHER, 1, 2));
        assertEquals(Status.OK, store.ids().createAt(cids[2], MemorySegment.ofArray(OTHER), 2, 1));
        assertEquals(Status.OK, store.ids().createAt(cids[3], 6));
        assertArrayEquals(new byte[] {7}, content(cids[2]));
        assertEquals(Status.OK, store.ids().unreserve(cids[4]));
        assertEquals(Status.ABSENT, store.ids().unreserve(cids[4]));
        assertEquals(Status.ABSENT, store.ids().unreserve(cid));
        assertEquals(0, store.ids().reserve(cids, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(0, ABC));
    }

    // ---- close ----

    @Test
    final void close_endsEverything() {
        long cid = store.create(ABC);
        assertTrue(store.isOpen());
        store.close();
        store.close();
        assertFalse(store.isOpen());
        List<Executable> calls = List.of(() -> store.create(ABC), () -> store.create(3),
            () -> store.createReadOnly(ABC),
            () -> store.get(cid, new byte[8]), () -> store.getBytes(cid, 0, new byte[8], 0, 1), () -> store.size(cid),
            () -> store.exists(cid), () -> store.put(cid, ABC), () -> store.putBytes(cid, 0, ABC, 0, 1),
            () -> store.resize(cid, 1), () -> store.remove(cid), () -> store.seal(cid),
            () -> store.chunks().get(cid), () -> store.fields().getByte(cid, 0, (byte) 0),
            () -> store.fields().putByte(cid, 0, (byte) 0), () -> store.fields().getAndAddInt(cid, 0, 0),
            () -> store.ids().reserve(), () -> store.ids().createAt(cid, ABC), () -> store.ids().unreserve(cid),
            () -> store.ids().reserve(new long[1], 0, 0),
            () -> store.batch().create(1, new long[1], 0, 1, false),
            () -> store.batch().remove(new long[] {cid}, 0, 1, new long[1]),
            () -> store.batch().get(new long[] {cid}, 0, 1, new byte[8], 0, new int[1]),
            () -> store.set("set", Codecs.LONG));
        for (int i = 0; i < calls.size(); i++) {
            assertThrows(StoreClosedException.class, calls.get(i), "call " + i);
        }
    }
}
