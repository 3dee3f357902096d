package io.teff.test.bench.session;

import io.teff.test.bench.store.KeyedStore;
import io.teff.test.bench.store.Values;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The operations on random entries of the store that the session has filled. Each result is checked. Run by
 * {@link Session} inside of its JVM, because filling a store costs more than measuring it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreOps {
    static final int GROUP = 64;
    private static final int MIXED_95 = (int) (0.95 * (1L << 32) - (1L << 31));

    /**
     * A store that is filled.
     *
     * @param store the store
     * @param first name of the entry with key 0
     * @param entries how many there are
     * @param values their lengths
     */
    record Filled(KeyedStore store, long first, int entries, Values values) {}

    static final AtomicReference<Filled> FILLED = new AtomicReference<>();

    private KeyedStore store;
    private long first;
    private long entries;
    private Values values;

    /** What one thread needs. */
    @State(Scope.Thread)
    public static class Worker {
        private final SplittableRandom random = new SplittableRandom();
        private final byte[] target = new byte[256];
        private final long[] names = new long[GROUP];
        private final int[] lengths = new int[GROUP];
        private final byte[] group = new byte[GROUP * 256];
        private byte[][] arrays;

        /** Makes the arrays to write from. */
        @Setup
        public void setUp() {
            arrays = FILLED.get().values().arrays();
        }
    }

    /** Takes over what the session has filled. */
    @Setup
    public void setUp() {
        Filled filled = FILLED.get();
        store = filled.store();
        first = filled.first();
        entries = filled.entries();
        values = filled.values();
    }

    private long key(Worker worker) {
        return (worker.random.nextInt() & 0xFFFF_FFFFL) * entries >>> 32;
    }

    private void getChecked(Worker worker, long key) {
        int length = store.get(first + key, worker.target);
        if (length != values.length(key) || (long) KeyedStore.LONG.get(worker.target, 0) != key) {
            throw new IllegalStateException("key=" + key + " has length=" + length);
        }
    }

    private void put(Worker worker, long key) {
        store.put(first + key, values.of(key, worker.arrays));
    }

    /** The harness alone: drawing a key. */
    @Benchmark
    public long nothing(Worker worker) {
        return key(worker);
    }

    /** Copies a value out. */
    @Benchmark
    public void get(Worker worker) {
        getChecked(worker, key(worker));
    }

    /** Overwrites a value. */
    @Benchmark
    public void put(Worker worker) {
        put(worker, key(worker));
    }

    /** Reads eight bytes of a value. */
    @Benchmark
    public void field(Worker worker) {
        long key = key(worker);
        if (store.readLong(first + key) != key) {
            throw new IllegalStateException("key=" + key + " is wrong");
        }
    }

    /** 95 gets to 5 puts. */
    @Benchmark
    public void mixed95(Worker worker) {
        long key = key(worker);
        if (worker.random.nextInt() < MIXED_95) {
            getChecked(worker, key);
        } else {
            put(worker, key);
        }
    }

    /** 50 gets to 50 puts. */
    @Benchmark
    public void mixed50(Worker worker) {
        long key = key(worker);
        if (worker.random.nextInt() < 0) {
            getChecked(worker, key);
        } else {
            put(worker, key);
        }
    }

    /** Copies 64 values out. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void batch(Worker worker) {
        long sum = 0;
        for (int i = 0; i < GROUP; i++) {
            long key = key(worker);
            worker.names[i] = first + key;
            sum += key;
        }
        store.getAll(worker.names, worker.lengths, worker.group);
        int at = 0;
        for (int length : worker.lengths) {
            sum -= (long) KeyedStore.LONG.get(worker.group, at);
            at += length;
        }
        if (sum != 0) {
            throw new IllegalStateException("a batch is wrong by " + sum);
        }
    }
}
