package io.teff.test.bench;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.report.StoreStats;
import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.store.Values;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * How create and get of short chunks scale from one thread to two, and the cost of a chunk: whole phases, one and two
 * threads in turn, medians of the ratios of neighbours. Beside them, the limits of the machine: a loop of arithmetic,
 * and random reads of a plain array of the same number of elements.
 */
@Command(
    name = "scaling",
    description = {
        "Compares the rates of one and of two threads that create and get short chunks, and prints the same ratio for "
            + "plain arithmetic and memory reads on this machine.",
        "One and two threads do the same total work in turn; the result is the median of the ratios of such pairs."},
    sortOptions = false)
public final class ScalingReport implements Callable<Integer> {
    private static final int BUFFER_BYTES = 256;
    private static final int WARM_CHUNKS = 1_000_000;
    private static final int SINK_DISTANCE = 16;

    @Parameters(index = "0", arity = "0..1", paramLabel = "CHUNKS", defaultValue = "10000000",
        description = "Number of chunks (default: ${DEFAULT-VALUE}).")
    private int chunks;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROUNDS", defaultValue = "5",
        description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--values", split = ",", paramLabel = "BYTES", defaultValue = "16-128,32",
        description = "Lengths of the chunks, one or a range as in 16-128 (default: ${DEFAULT-VALUE}).")
    private List<String> lengths = List.of();

    private Values values = new Values(Long.BYTES, Long.BYTES);

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Keeps results alive; one cache line per thread. */
    private final long[] sinks = new long[4 * SINK_DISTANCE];

    /** Made by the library of the command line. */
    public ScalingReport() {}

    @Override
    public Integer call() throws InterruptedException {
        CommandSupport.check(spec, chunks >= 2 && rounds >= 1, "CHUNKS=" + chunks + " must be at least 2, and ROUNDS="
            + rounds + " at least 1");
        ScalingReport warm = new ScalingReport();
        warm.chunks = WARM_CHUNKS;
        for (String each : lengths) {
            values = parse(each);
            warm.values = values;
            for (int i = 0; i < 4; i++) {
                warm.create(1 + i % 2);
                warm.get(1 + i % 2);
            }
            System.out.printf("chunks of %s B%n", values);
            run();
        }
        return 0;
    }

    private Values parse(String text) {
        try {
            return Values.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--values=" + text + ": " + e.getMessage(), e);
        }
    }

    private void run() throws InterruptedException {
        double[] createRatios = new double[rounds];
        double[] getRatios = new double[rounds];
        double[] arithmeticRatios = new double[rounds];
        double[] gatherRatios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            int before = 1 + round % 2;                         // who goes first takes turns
            double[] create = new double[3];
            double[] get = new double[3];
            for (int threads : new int[] {before, 3 - before}) {
                create[threads] = create(threads);
                get[threads] = get(threads);
            }
            arithmeticRatios[round] = arithmetic(2) / arithmetic(1);
            gatherRatios[round] = gather(2) / gather(1);
            createRatios[round] = create[2] / create[1];
            getRatios[round] = get[2] / get[1];
            System.out.printf("round %d: create %.1f and %.1f M/s, ratio %.2f; get %.1f and %.1f M/s, ratio %.2f%n",
                round, create[1], create[2], createRatios[round], get[1], get[2], getRatios[round]);
        }
        System.out.printf("two threads to one, median of %d: create %.2f (bar 1.7), get %.2f (bar 1.8)%n", rounds,
            median(createRatios), median(getRatios));
        System.out.printf("the machine itself: arithmetic %.2f, random reads of an array %.2f%n",
            median(arithmeticRatios), median(gatherRatios));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    // ---- limits of the machine ----

    private double arithmetic(int threads) throws InterruptedException {
        return parallel(threads, (thread, from, count) -> {
            long x = thread + 1L;
            for (long i = 0; i < (long) count * 16; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            sinks[thread * SINK_DISTANCE] = x;
        });
    }

    private double gather(int threads) throws InterruptedException {
        long[] values = new long[chunks];
        Arrays.setAll(values, i -> i);
        return parallel(threads, (thread, from, count) -> {
            SplittableRandom random = new SplittableRandom(thread);
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += values[random.nextInt(values.length)];
            }
            sinks[thread * SINK_DISTANCE] = sum;
        });
    }

    // ---- the store ----

    private interface Work {
        void run(int thread, int from, int count);
    }

    /** Returns millions of operations per second over all threads. */
    private double parallel(int threads, Work work) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        Thread[] all = new Thread[threads];
        int share = chunks / threads;
        for (int i = 0; i < threads; i++) {
            int thread = i;
            all[i] = new Thread(() -> {
                ready.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                work.run(thread, thread * share, share);
            });
            all[i].start();
        }
        ready.await();
        long start = System.nanoTime();
        go.countDown();
        for (Thread thread : all) {
            thread.join();
        }
        return (double) share * threads * 1000 / (System.nanoTime() - start);
    }

    private double create(int threads) throws InterruptedException {
        try (Store store = Store.open(StoreConfig.builder().nid(1).build())) {
            double rate = parallel(threads, (thread, from, count) -> {
                byte[][] arrays = values.arrays();
                for (int i = 0; i < count; i++) {
                    if (Status.isStatus(store.create(values.of(i, arrays)))) {
                        throw new IllegalStateException("the store is full");
                    }
                }
            });
            StoreStats stats = store.stats();
            if (threads == 2 && chunks > WARM_CHUNKS) {
                System.out.printf("%,d chunks of %s B: %.3f B each beyond the payload%n", stats.chunks(), values,
                    stats.overheadPerChunk());
            }
            return rate;
        }
    }

    private double get(int threads) throws InterruptedException {
        try (Store store = Store.open(StoreConfig.builder().nid(1).build())) {
            long[] cids = new long[chunks];
            int[] each = new int[chunks];
            Arrays.setAll(each, values::length);
            if (store.batch().create(null, each, cids, 0, true) != chunks) {
                throw new IllegalStateException("the store is full");
            }
            long first = cids[0];
            return parallel(threads, (thread, from, count) -> {
                byte[] buffer = new byte[BUFFER_BYTES];
                SplittableRandom random = new SplittableRandom(thread);
                for (int i = 0; i < count; i++) {
                    int key = random.nextInt(chunks);
                    if (store.get(first + key, buffer) != values.length(key)) {
                        throw new IllegalStateException("a chunk is gone");
                    }
                }
            });
        }
    }
}
