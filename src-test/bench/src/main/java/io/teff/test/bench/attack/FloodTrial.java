package io.teff.test.bench.attack;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Latencies of an honest node's requests without and with a flood, in pairs of neighbours. */
final class FloodTrial {
    static final List<String> FIGURES = List.of("quiet p50 us", "flooded p50 us", "quiet p99 us", "flooded p99 us",
        "p99 x", "attacks/s");

    private static final long REQUESTS_PER_SECOND = 2000;
    private static final int REQUEST_BYTES = 64;
    private static final int DIGITS = 3;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROSECOND_NS = TimeUnit.MICROSECONDS.toNanos(1);

    private final AttackPlan plan;
    private final byte[] request = new byte[REQUEST_BYTES];
    private final Histogram quiet = new Histogram(DIGITS);
    private final Histogram flooded = new Histogram(DIGITS);
    private long attacks;
    private long floodedNs;

    FloodTrial(AttackPlan plan) {
        this.plan = plan;
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws IOException, InterruptedException {
        double[] ratios = new double[plan.pairs()];
        try (Victim victim = new Victim(); PlainServer server = PlainServer.closing();
             Flood flood = new Flood(plan.kind(), plan.kind().isControl() ? server.address() : victim.address(),
                 plan.rate())) {
            window(victim, flood, false);
            window(victim, flood, true);                        // both to warm up
            attacks = 0;
            floodedNs = 0;
            for (int pair = 0; pair < ratios.length; pair++) {
                boolean isFirst = pair % 2 == 1;
                Histogram one = window(victim, flood, isFirst);
                Histogram two = window(victim, flood, !isFirst);
                quiet.add(isFirst ? two : one);
                flooded.add(isFirst ? one : two);
                ratios[pair] = (double) (isFirst ? one : two).getValueAtPercentile(99)
                    / (isFirst ? two : one).getValueAtPercentile(99);
            }
        }
        Arrays.sort(ratios);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("quiet p50 us", quiet.getValueAtPercentile(50) / MICROSECOND_NS);
        figures.put("flooded p50 us", flooded.getValueAtPercentile(50) / MICROSECOND_NS);
        figures.put("quiet p99 us", quiet.getValueAtPercentile(99) / MICROSECOND_NS);
        figures.put("flooded p99 us", flooded.getValueAtPercentile(99) / MICROSECOND_NS);
        figures.put("p99 x", (ratios[ratios.length / 2] + ratios[(ratios.length - 1) / 2]) / 2);
        figures.put("attacks/s", attacks * SECOND_NS / floodedNs);
        return figures;
    }

    /** Requests at a fixed rate; each latency is that of its own call. */
    private Histogram window(Victim victim, Flood flood, boolean isFlooded) throws InterruptedException {
        flood.set(isFlooded);
        Histogram histogram = new Histogram(DIGITS);
        long attacksBefore = flood.attacks();
        long start = System.nanoTime();
        long due = start;
        for (long now = start; now - start < plan.measureNs(); now = System.nanoTime()) {
            victim.ask(request);
            long end = System.nanoTime();
            histogram.recordValue(end - now);
            due = Math.max(due + TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND, end);
            LockSupport.parkNanos(due - end);
        }
        if (isFlooded) {
            attacks += flood.attacks() - attacksBefore;
            floodedNs += System.nanoTime() - start;
        }
        return histogram;
    }
}
