package io.teff.test.bench.session;

import io.teff.test.bench.load.Draws;
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
 * The operations on random entries of the store that the session has filled, 64 to an invocation, as in a loop of an
 * application, so that the harness adds little to each. Each result is checked. Run by {@link Session} inside of its
 * JVM, because filling a store costs more than measuring it. The JVM does not inline the methods of this class
 * ({@link SessionPlan}), but those of {@link Worker}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreOps {
    static final int GROUP = 64;
    /** One operation of this number is a put. */
    private static final int MIXED_95 = 20;
    private static final int MIXED_50 = 2;

    /**
     * A filled store.
     *
     * @param store the store
     * @param first name of the entry with key 0
     * @param entries number of entries
     * @param values their lengths
     */
    record Filled(KeyedStore store, long first, int entries, Values values) {}

    static final AtomicReference<Filled> FILLED = new AtomicReference<>();

    private KeyedStore store;
    private long first;
    private long entries;
    private Values values;

    /** The state of one thread. */
    @State(Scope.Thread)
    public static class Worker {
        private long seed = new SplittableRandom().nextLong();
        private final byte[] target = new byte[256];
        private final long[] names = new long[GROUP];
        private final int[] lengths = new int[GROUP];
        private final byte[] group = new byte[GROUP * 256];
        private byte[][] arrays;

        /** Creates the arrays to write from. */
        @Setup
        public void setUp() {
            arrays = FILLED.get().values().arrays();
        }

        private static void get(KeyedStore store, long first, long key, Values values, byte[] target) {
            int length = store.get(first + key, target);
            if (length != values.length(key) || (long) KeyedStore.LONG.get(target, 0) != key) {
                throw new IllegalStateException("key=" + key + " has length=" + length);
            }
        }
    }

    /** Takes over the store filled by the session. */
    @Setup
    public void setUp() {
        Filled filled = FILLED.get();
        store = filled.store();
        first = filled.first();
        entries = filled.entries();
        values = filled.values();
    }

    // The loops keep fields in locals, because the fences of a read make the JIT reload fields.

    /** The harness alone: drawing keys. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public long nothing(Worker worker) {
        final long count = entries;
        long seed = worker.seed;
        long sum = 0;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            sum += Draws.below(seed, count);
        }
        worker.seed = seed;
        return sum;
    }

    /** Copies a value out. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void get(Worker worker) {
        final KeyedStore all = store;
        final long zero = first;
        final long count = entries;
        final Values lengths = values;
        final byte[] target = worker.target;
        long seed = worker.seed;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            Worker.get(all, zero, Draws.below(seed, count), lengths, target);
        }
        worker.seed = seed;
    }

    /** Overwrites a value. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void put(Worker worker) {
        final KeyedStore all = store;
        final long zero = first;
        final long count = entries;
        final Values lengths = values;
        final byte[][] arrays = worker.arrays;
        long seed = worker.seed;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            long key = Draws.below(seed, count);
            all.put(zero + key, lengths.of(key, arrays));
        }
        worker.seed = seed;
    }

    /** Reads eight bytes of a value. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void field(Worker worker) {
        final KeyedStore all = store;
        final long zero = first;
        final long count = entries;
        long seed = worker.seed;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            long key = Draws.below(seed, count);
            if (all.readLong(zero + key) != key) {
                throw new IllegalStateException("key=" + key + " is wrong");
            }
        }
        worker.seed = seed;
    }

    /** 95 gets to 5 puts. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void mixed95(Worker worker) {
        mixed(worker, MIXED_95);
    }

    /** 50 gets to 50 puts. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void mixed50(Worker worker) {
        mixed(worker, MIXED_50);
    }

    private void mixed(Worker worker, int operationsPerPut) {
        final KeyedStore all = store;
        final long zero = first;
        final long count = entries;
        final Values lengths = values;
        final byte[] target = worker.target;
        final byte[][] arrays = worker.arrays;
        long seed = worker.seed;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            long key = Draws.below(seed, count);
            if ((seed >>> 8 & 0xFF_FFFF) * operationsPerPut >>> 24 == 0) {
                all.put(zero + key, lengths.of(key, arrays));
            } else {
                Worker.get(all, zero, key, lengths, target);
            }
        }
        worker.seed = seed;
    }

    /** Copies 64 values out. */
    @Benchmark
    @OperationsPerInvocation(GROUP)
    public void batch(Worker worker) {
        long seed = worker.seed;
        long sum = 0;
        for (int i = 0; i < GROUP; i++) {
            seed = Draws.next(seed);
            long key = Draws.below(seed, entries);
            worker.names[i] = first + key;
            sum += key;
        }
        worker.seed = seed;
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
