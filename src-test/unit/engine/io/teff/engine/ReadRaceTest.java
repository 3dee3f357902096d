package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.error.Status;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: by every way of reading, the bytes of a chunk are its own, also if its memory passes to another chunk
 * meanwhile. Method: one thread moves a chunk to and fro, and gives the freed memory to another chunk at once; one
 * thread reads.
 */
@Tag("modes")
final class ReadRaceTest {
    private static final int ROUNDS = Form.size(12_000, 60_000, 60_000);
    private static final int SHORT = 24;
    private static final int LONG = 40;
    private static final byte OWN = 0x11;
    private static final long OWN_LONG = 0x1111_1111_1111_1111L;

    private static byte[] filled(int length, byte value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, value);
        return bytes;
    }

    /** Reads the chunk once; returns the number of bytes read, all of which must be the chunk's own. */
    private interface Read {
        int read(Store store, long cid);
    }

    private static int own(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            assertEquals(OWN, bytes[i], "a byte of another chunk at " + i + " of " + length);
        }
        return length;
    }

    private static void race(Read read) throws InterruptedException {
        try (Store store = Stores.open(4)) {
            AtomicLong cid = new AtomicLong(Cid.NONE);
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running mover = Threads.start("mover", ignored -> move(store, cid, done));
            Threads.await("a chunk", () -> cid.get() != Cid.NONE);
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    int length = read.read(store, cid.get());
                    assertEquals(true, length == SHORT || length == LONG || length == Long.BYTES, "length " + length);
                }
            } finally {
                done.set(true);
                mover.end();
            }
            store.audit();
        }
    }

    /** The store is full except for a slot or two of each length, so the freed slot is taken at once. */
    private static void move(Store store, AtomicLong published, AtomicBoolean done) {
        byte[][] own = {filled(SHORT, OWN), filled(LONG, OWN)};
        byte[][] other = {filled(SHORT, (byte) 0x77), filled(LONG, (byte) 0x77)};
        List<Deque<Long>> others = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        long cid = store.create(own[0]);
        for (int kind = 0, failed = 0; failed < 2; kind = 1 - kind) {
            long made = store.create(other[kind]);
            failed = Status.isStatus(made) ? failed + 1 : 0;
            if (failed == 0) {
                others.get(kind).add(made);
            }
        }
        store.remove(others.get(0).remove());
        store.remove(others.get(1).remove());
        published.set(cid);
        for (int at = 0; !done.get(); at = 1 - at) {
            assertEquals(0, store.put(cid, own[1 - at]));
            others.get(at).add(Chunks.check(cid, store.create(other[at])));
            store.remove(others.get(1 - at).remove());
        }
    }

    @Test
    void getIntoAnArray_isOfOneChunk() throws InterruptedException {
        byte[] target = new byte[LONG];
        race((store, cid) -> own(target, store.get(cid, target)));
    }

    @Test
    void getIntoASegment_isOfOneChunk() throws InterruptedException {
        byte[] target = new byte[LONG];
        MemorySegment segment = MemorySegment.ofArray(target);
        race((store, cid) -> own(target, (int) store.get(cid, segment, 0)));
    }

    @Test
    void getBytes_areOfOneChunk() throws InterruptedException {
        byte[] target = new byte[LONG];
        race((store, cid) -> {
            assertEquals(0, store.getBytes(cid, 16, target, 0, Long.BYTES));
            return own(target, Long.BYTES);
        });
    }

    @Test
    void field_isOfOneChunk() throws InterruptedException {
        race((store, cid) -> {
            assertEquals(OWN_LONG, store.fields().getLong(cid, 8, -1));
            return Long.BYTES;
        });
    }

    @Test
    void batchIntoAnArray_isOfOneChunkEach() throws InterruptedException {
        byte[] target = new byte[20 * LONG];
        int[] lengths = new int[20];
        race((store, cid) -> {
            int read = store.batch().get(filledWith(cid), 0, lengths.length, target, 0, lengths);
            assertEquals(read, own(target, read));
            return lengths[19];
        });
    }

    @Test
    void batchIntoASegment_isOfOneChunkEach() throws InterruptedException {
        byte[] target = new byte[20 * LONG];
        MemorySegment segment = MemorySegment.ofArray(target);
        int[] lengths = new int[20];
        race((store, cid) -> {
            int read = (int) store.batch().get(filledWith(cid), 0, lengths.length, segment, 0, lengths);
            assertEquals(read, own(target, read));
            return lengths[19];
        });
    }

    @Test
    void batchOfFields_isOfOneChunkEach() throws InterruptedException {
        long[] values = new long[20];
        race((store, cid) -> {
            store.batch().getLong(filledWith(cid), 0, values.length, 8, -1, values);
            for (long value : values) {
                assertEquals(OWN_LONG, value);
            }
            return Long.BYTES;
        });
    }

    @Test
    void view_isOfOneChunk() throws InterruptedException {
        race((store, cid) -> {
            store.views().read(cid, view -> assertEquals(OWN_LONG, view.getLong(8)));
            return Long.BYTES;
        });
    }

    private static long[] filledWith(long cid) {
        long[] cids = new long[20];
        Arrays.fill(cids, cid);
        return cids;
    }
}
