package io.teff.test.bench.grid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The kill of a node with data, while four threads read and replace values and a further thread reads all entries again
 * and again. Then the load ends, and all entries are read once more.
 */
final class GridKill {
    private static final int THREADS = 4;
    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int STEPS = 40;
    /** Steps whose mean is the rate after the kill. */
    private static final int STEPS_MEAN = 20;
    private static final double MS = 1e6;
    private static final double SECOND_NS = 1e9;

    private final GridClient client;
    private final int entries;
    private final int bytes;
    private final long victim;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong scanErrors = new AtomicLong();
    /** Longest call of each thread. */
    private final AtomicLongArray longest = new AtomicLongArray(THREADS);
    private final AtomicLong scanNs = new AtomicLong();
    private volatile long killedNs = Long.MAX_VALUE;
    private volatile boolean isOver;

    GridKill(GridClient client, int entries, int bytes, long victim) {
        this.client = client;
        this.entries = entries;
        this.bytes = bytes;
        this.victim = victim;
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().name("kill-load-" + i).start(() -> load(number)));
        }
        threads.add(Thread.ofPlatform().name("kill-scan").start(this::scan));
        sleep(WARM_NS);
        long first = calls.get();
        sleep(BEFORE_NS);
        double before = (calls.get() - first) * SECOND_NS / BEFORE_NS;
        killedNs = System.nanoTime();
        ProcessHandle.of(victim).orElseThrow().destroyForcibly();
        List<Double> curve = new ArrayList<>();
        long last = calls.get();
        for (int i = 1; i <= STEPS; i++) {
            sleep(killedNs + i * STEP_NS - System.nanoTime());
            long now = calls.get();
            curve.add((now - last) * SECOND_NS / STEP_NS);
            last = now;
        }
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("kill: calls/s before", before);
        figures.put("kill: calls/s 10 s", curve.stream().limit(STEPS_MEAN).mapToDouble(it -> it).average()
            .orElseThrow());
        long below = curve.stream().takeWhile(rate -> rate < before / 2).count();
        figures.put("kill: half rate ms", (below + 1) * STEP_NS / MS);
        figures.put("kill: longest call ms", IntStream.range(0, THREADS).mapToLong(longest::get).max().orElse(0) / MS);
        figures.put("kill: scan done ms", scanNs.get() == 0 ? -1 : scanNs.get() / MS);
        figures.put("kill: errors", (double) errors.get());
        figures.put("kill: scan errors", (double) scanErrors.get());
        figures.put("kill: missing", (double) missing());
        return figures;
    }

    private static void sleep(long ns) {
        long end = System.nanoTime() + ns;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private void load(int number) {
        SplittableRandom random = new SplittableRandom(number);
        while (!isOver) {
            int key = random.nextInt(entries);
            long begun = System.nanoTime();
            try {
                if (random.nextBoolean()) {
                    if (!GridValues.isOf(key, client.get(key))) {
                        errors.incrementAndGet();
                    }
                } else {
                    client.put(key, GridValues.of(key, bytes, random));
                }
                calls.incrementAndGet();
            } catch (RuntimeException _) {
                errors.incrementAndGet();
            }
            long ended = System.nanoTime();
            if (ended - killedNs > 0 && killedNs != Long.MAX_VALUE) {
                longest.accumulateAndGet(number, ended - begun, Math::max);
            }
        }
    }

    private void scan() {
        while (!isOver) {
            boolean isWhole = true;
            for (int from = 0; from < entries && !isOver; from += GridTrial.PART) {
                isWhole &= read(from);
            }
            long ended = System.nanoTime();
            if (isWhole && !isOver && killedNs != Long.MAX_VALUE && ended - killedNs > 0) {
                scanNs.compareAndSet(0, ended - killedNs);
            }
        }
    }

    private boolean read(int from) {
        try {
            return client.getAll(keys(from)) == keys(from).length;
        } catch (RuntimeException _) {
            scanErrors.incrementAndGet();
            return false;
        }
    }

    private int[] keys(int from) {
        return IntStream.range(from, Math.min(from + GridTrial.PART, entries)).toArray();
    }

    private long missing() {
        long missing = 0;
        for (int from = 0; from < entries; from += GridTrial.PART) {
            missing += keys(from).length - client.getAll(keys(from));
        }
        return missing;
    }
}
