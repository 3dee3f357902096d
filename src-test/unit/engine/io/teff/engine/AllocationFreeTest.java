package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.teff.engine.error.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the hot operations allocate nothing on the Java heap.
 *
 * <p>Method: each is warmed until it is compiled, then run many times between two readings of the thread's allocation
 * counter. A few rounds are allowed, because the JVM itself may allocate for a thread when it recompiles; the best counts.
 */
@Tag("modes")
final class AllocationFreeTest {
    private static final int CHUNKS = 20_000;
    private static final int OPERATIONS = 200_000;
    private static final int ROUNDS = 5;
    private static final int LENGTH = 32;
    private static final int GROUP = 64;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final byte[] buffer = new byte[GROUP * LENGTH];
    private final long[] cids = new long[CHUNKS];
    private Store store;

    @BeforeEach
    void fill() {
        store = Store.open(StoreConfig.builder().memoryLimitBytes(256 << 20).build());
        assertEquals(CHUNKS, store.batch().create(LENGTH, cids, 0, CHUNKS, true));
    }

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private void measure(String name, IntConsumer operation) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round <= ROUNDS && best > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long empty = threads.getCurrentThreadAllocatedBytes() - before;
            before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.accept(i);
            }
            best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before - empty);
        }
        assertEquals(0, best, name + ": bytes allocated by " + OPERATIONS + " operations");
    }

    private long cid(int i) {
        return cids[(int) ((i * 2_654_435_761L >>> 7) % CHUNKS)];
    }

    @Test
    void get_allocatesNothing() {
        measure("get", i -> expect(LENGTH, store.get(cid(i), buffer)));
    }

    @Test
    void getSegment_allocatesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(LENGTH);
            measure("get segment", i -> expect(LENGTH, store.get(cid(i), target, 0)));
        }
    }

    @Test
    void put_allocatesNothing() {
        measure("put", i -> expect(Status.OK, store.put(cid(i), buffer, 0, LENGTH)));
    }

    @Test
    void existsAndSize_allocateNothing() {
        measure("exists", i -> expect(LENGTH, store.exists(cid(i)) ? store.size(cid(i)) : 0));
    }

    @Test
    void createAndRemove_allocateNothing() {
        measure("create and remove", i -> expect(LENGTH, store.remove(store.create(buffer, 0, LENGTH))));
    }

    @Test
    void resize_allocatesNothing() {
        measure("resize", i -> expect(Status.OK, store.resize(cid(i), LENGTH + (i & 1) * 40)));
    }

    @Test
    void fields_allocateNothing() {
        Fields fields = store.fields();
        measure("fields", i -> {
            long cid = cid(i);
            fields.putInt(cid, 0, i);
            expect(i, fields.getInt(cid, 0, -1));
            expect(1, fields.compareAndSetInt(cid, 0, i, i + 1));
            fields.getAndAddLong(cid, 8, 1);
        });
    }

    @Test
    void locks_allocateNothing() {
        Locks locks = store.locks();
        measure("locks", i -> {
            long cid = cids[i & 1023];
            expect(Status.OK, locks.lockRead(cid, 0));
            expect(Status.OK, locks.swapToWrite(cid, 0));
            expect(Status.OK, locks.unlock(cid));
        });
    }

    @Test
    void batchGet_allocatesNothing() {
        int[] lengths = new int[GROUP];
        measure("batch get", i -> expect(GROUP * LENGTH,
            store.batch().get(cids, i % (CHUNKS - GROUP), GROUP, buffer, 0, lengths)));
    }

    @Test
    void cursor_allocatesNothing() {
        CidCursor[] cursor = {store.ids().cursor()};
        measure("cursor", i -> {
            if (i % CHUNKS != 0 || i == 0) {
                cursor[0].next();
            }
        });
    }

    private static void expect(long expected, long actual) {
        if (expected != actual) {
            throw new AssertionError("expected " + expected + ", got " + actual);
        }
    }
}
