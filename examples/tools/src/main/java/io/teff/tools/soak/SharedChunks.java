package io.teff.tools.soak;

import io.teff.engine.ChunkLock;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.tools.load.LoadFailure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Chunks that all workers change, to detect lost updates: each worker keeps a tally of the amounts it added, and at low
 * and high points each value must be the sum of the tallies.
 * <pre>
 *  0            8            16        20        24          32          40
 * +------------+------------+---------+---------+-----------+-----------+--- ...
 * | added long | CAS long   | added   | zero    | ledger    | its twin  | zeros
 * |            |            | int     |         |           |           |
 * +------------+------------+---------+---------+-----------+-----------+--- ...
 * </pre>
 * Atomic operations on fields change the first three. Several operations under the chunk's lock change the ledger (read
 * both values, write one, write the other); a reader with the lock must find both equal.
 *
 * <p>{@link #step} runs on the thread of any worker, with that worker's index; the other methods run at low and high
 * points.
 */
final class SharedChunks {
    /** Number of chunks. */
    static final int COUNT = 128;

    private static final long ADDED = 0;
    private static final long SWAPPED = ADDED + Long.BYTES;
    private static final long ADDED_INT = SWAPPED + Long.BYTES;
    private static final long LEDGER = ADDED_INT + Long.BYTES;
    private static final long TWIN = LEDGER + Long.BYTES;
    private static final int BYTES_MIN = (int) TWIN + Long.BYTES;
    private static final int BYTES_MAX = 4 * BYTES_MIN;
    private static final long TIMEOUT_NS = Timeouts.LOCK_NS;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Store store;
    private final long[] cids = new long[COUNT];
    private final int[] lengths = new int[COUNT];
    /** Tallies by worker and chunk: the amounts added to each of the four values. */
    private final long[][] added;
    private final long[][] swapped;
    private final int[][] addedInts;
    private final long[][] entered;
    private final byte[][] buffers;

    SharedChunks(Store store, int workers) {
        this.store = store;
        this.added = new long[workers][COUNT];
        this.swapped = new long[workers][COUNT];
        this.addedInts = new int[workers][COUNT];
        this.entered = new long[workers][COUNT];
        this.buffers = new byte[workers][BYTES_MAX];
    }

    // ---- at low and high points ----

    /** Removes the chunks and creates new ones of other lengths. */
    void renew(SplittableRandom random) {
        for (int i = 0; i < COUNT; i++) {
            if (cids[i] != Cid.NONE) {
                check("remove", i, store.remove(cids[i]), lengths[i]);
            }
            lengths[i] = random.nextInt(BYTES_MIN, BYTES_MAX + 1);
            cids[i] = store.create(lengths[i]);
            check("create", i, Status.isStatus(cids[i]) ? cids[i] : Status.OK, Status.OK);
            for (int worker = 0; worker < added.length; worker++) {
                added[worker][i] = 0;
                swapped[worker][i] = 0;
                addedInts[worker][i] = 0;
                entered[worker][i] = 0;
            }
        }
    }

    /** {@return sum of the lengths} */
    long payloadBytes() {
        return Arrays.stream(lengths).asLongStream().sum();
    }

    /** Compares every value with the tallies, in a store: the run's own, or one restored from its snapshot. */
    void verify(Store source) {
        for (int i = 0; i < COUNT; i++) {
            int ints = 0;
            for (int[] tally : addedInts) {
                ints += tally[i];
            }
            check("sum of getAndAddLong", i, source.fields().getLong(cids[i], ADDED, Long.MIN_VALUE), sum(added, i));
            check("sum of compareAndSetLong", i, source.fields().getLong(cids[i], SWAPPED, Long.MIN_VALUE),
                sum(swapped, i));
            check("sum of getAndAddInt", i, source.fields().getInt(cids[i], ADDED_INT, Integer.MIN_VALUE), ints);
            check("sum of changes under the lock", i, source.fields().getLong(cids[i], LEDGER, Long.MIN_VALUE),
                sum(entered, i));
            check("twin of the sum of changes under the lock", i,
                source.fields().getLong(cids[i], TWIN, Long.MIN_VALUE), sum(entered, i));
        }
    }

    private static long sum(long[][] tallies, int index) {
        long sum = 0;
        for (long[] tally : tallies) {
            sum += tally[index];
        }
        return sum;
    }

    // ---- on workers' threads ----

    /** Runs one random operation on a random chunk. */
    void step(int worker, SplittableRandom random) {
        int i = random.nextInt(COUNT);
        switch (random.nextInt(8)) {
            case 0, 1 -> addLong(worker, i, random.nextInt());
            case 2 -> addInt(worker, i, random.nextInt());
            case 3 -> swap(worker, i, random.nextInt());
            case 4 -> enterByLock(worker, i, random.nextInt());
            case 5 -> enterBySwap(worker, i, random.nextInt());
            case 6 -> enterBySteps(worker, i, random.nextInt());
            default -> look(i, buffers[worker]);
        }
    }

    private void addLong(int worker, int i, int delta) {
        store.fields().getAndAddLong(cids[i], ADDED, delta);
        added[worker][i] += delta;
    }

    private void addInt(int worker, int i, int delta) {
        store.fields().getAndAddInt(cids[i], ADDED_INT, delta);
        addedInts[worker][i] += delta;
    }

    private void swap(int worker, int i, int delta) {
        long value;
        int done;
        do {
            value = store.fields().getLong(cids[i], SWAPPED, Long.MIN_VALUE);
            done = store.fields().compareAndSetLong(cids[i], SWAPPED, value, value + delta);
        } while (done == 0);
        check("compareAndSetLong", i, done, 1);
        swapped[worker][i] += delta;
    }

    private void enterByLock(int worker, int i, int delta) {
        try (ChunkLock _ = store.locks().hold(cids[i], true, TIMEOUT_NS).orElseThrow(() -> lockTimeout(i))) {
            enter(worker, i, delta);
        }
    }

    /** Changes the ledger under a read lock that is swapped to a write lock, unless another thread swaps first. */
    private void enterBySwap(int worker, int i, int delta) {
        check("lockRead", i, store.locks().lockRead(cids[i], TIMEOUT_NS), Status.OK);
        int swap = store.locks().swapToWrite(cids[i], 0);
        if (swap == Status.OK) {
            enter(worker, i, delta);
        } else {
            check("swapToWrite", i, swap, Status.LOCKED);
        }
        check("unlock", i, store.locks().unlock(cids[i]), Status.OK);
    }

    private void enter(int worker, int i, int delta) {
        long value = store.fields().getLong(cids[i], LEDGER, Long.MIN_VALUE);
        check("second half under the write lock", i, store.fields().getLong(cids[i], TWIN, Long.MIN_VALUE), value);
        check("putLong", i, store.fields().putLong(cids[i], LEDGER, value + delta), Status.OK);
        check("putLong", i, store.fields().putLong(cids[i], TWIN, value + delta), Status.OK);
        entered[worker][i] += delta;
    }

    /** Changes the ledger by a get of the whole chunk that locks it, and a put that unlocks it. */
    private void enterBySteps(int worker, int i, int delta) {
        byte[] buffer = buffers[worker];
        int length = store.locks().get(cids[i], buffer, 0, LockStep.LOCK_WRITE, LockStep.NONE, TIMEOUT_NS);
        check("get that locks", i, length, lengths[i]);
        long value = (long) LONG.get(buffer, (int) LEDGER);
        check("second half under the write lock", i, (long) LONG.get(buffer, (int) TWIN), value);
        LONG.set(buffer, (int) LEDGER, value + delta);
        LONG.set(buffer, (int) TWIN, value + delta);
        int status = store.locks().put(cids[i], buffer, 0, length, LockStep.NONE, LockStep.UNLOCK, TIMEOUT_NS);
        check("put that unlocks", i, status, Status.OK);
        entered[worker][i] += delta;
    }

    private void look(int i, byte[] buffer) {
        check("lockRead", i, store.locks().lockRead(cids[i], TIMEOUT_NS), Status.OK);
        check("get", i, store.get(cids[i], buffer), lengths[i]);
        check("second half under a read lock", i, (long) LONG.get(buffer, (int) TWIN),
            (long) LONG.get(buffer, (int) LEDGER));
        check("unlock", i, store.locks().unlock(cids[i]), Status.OK);
    }

    // ---- failing ----

    private void check(String what, int index, long value, long right) {
        if (value != right) {
            throw new LoadFailure(what + " of shared chunk " + Cid.toString(cids[index]) + " is "
                + (Status.isStatus(value) ? Status.name(value) : value) + " instead of " + right);
        }
    }

    private LoadFailure lockTimeout(int index) {
        return new LoadFailure("shared chunk " + Cid.toString(cids[index]) + " stayed locked");
    }
}
