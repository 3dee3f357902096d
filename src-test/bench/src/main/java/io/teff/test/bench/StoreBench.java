package io.teff.test.bench;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.bench.store.Values;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The single operations on random chunks of one store, and their batch forms; ns per chunk. Use {@code -t 2} for two
 * threads, {@code -p chunks=1000000,10000000} for other sizes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StoreBench {
    private static final int GROUP = 64;

    /** Number of chunks in the store. */
    @Param("1000000")
    private int chunks;

    /** Bytes of the chunks: a range, evenly mixed, or one length. */
    @Param({"16-128", "32"})
    private String lengths;

    private Values values;

    private Store store;
    private long first;

    /** Buffers of one thread. */
    @State(Scope.Thread)
    public static class Buffers {
        private final byte[] bytes = new byte[4096];
        private final byte[] group = new byte[GROUP * 4096];
        private final long[] cids = new long[GROUP];
        private final int[] lengths = new int[GROUP];
    }

    /** Fills the store with consecutive CIDs. */
    @Setup(Level.Trial)
    public void fill() {
        store = Store.open(StoreConfig.builder().nid(1).build());
        values = Values.parse(lengths);
        long[] cids = new long[chunks];
        int[] each = new int[chunks];
        Arrays.setAll(each, values::length);
        if (store.batch().create(null, each, cids, 0, true) != chunks) {
            throw new IllegalStateException("the store is full");
        }
        first = cids[0];
    }

    /** Closes the store. */
    @TearDown(Level.Trial)
    public void close() {
        store.close();
    }

    private long randomCid() {
        return first + ThreadLocalRandom.current().nextInt(chunks);
    }

    /** The loop alone. */
    @Benchmark
    public long baselineRandomCid() {
        return randomCid();
    }

    /** Copies a random chunk out. */
    @Benchmark
    public int get(Buffers buffers) {
        return store.get(randomCid(), buffers.bytes);
    }

    /** Overwrites a random chunk. */
    @Benchmark
    public int put(Buffers buffers) {
        long cid = randomCid();
        return store.put(cid, buffers.bytes, 0, values.length(cid - first));
    }

    /** Reads one field of a random chunk. */
    @Benchmark
    public long fieldRead() {
        return store.fields().getLong(randomCid(), 8, -1);
    }

    /** Adds to one field of a random chunk. */
    @Benchmark
    public long fieldAdd() {
        return store.fields().getAndAddLong(randomCid(), 8, 1);
    }

    /** Makes a chunk and removes it. */
    @Benchmark
    public long createRemove(Buffers buffers) {
        long cid = store.create(buffers.bytes, 0, values.length(ThreadLocalRandom.current().nextInt()));
        if (Status.isStatus(cid)) {
            throw new IllegalStateException(Cid.toString(cid));
        }
        return store.remove(cid);
    }

    /** Locks and unlocks a random chunk. */
    @Benchmark
    public int lockUnlock() {
        long cid = randomCid();
        store.locks().lockWrite(cid, 1_000_000_000L);
        return store.locks().unlock(cid);
    }

    /** Gets 64 random chunks in one batch. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public int batchGet(Buffers buffers) {
        for (int i = 0; i < GROUP; i++) {
            buffers.cids[i] = randomCid();
        }
        return store.batch().get(buffers.cids, 0, GROUP, buffers.group, 0, buffers.lengths);
    }
}
