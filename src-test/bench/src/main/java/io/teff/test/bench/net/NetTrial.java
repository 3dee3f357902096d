package io.teff.test.bench.net;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.teff.test.bench.load.Crew;
import io.teff.test.bench.session.ProcessMemory;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One case of one way to send messages, in this JVM. */
final class NetTrial {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int DIGITS = 3;
    private static final double THOUSAND = 1e3;
    private static final double KIBIBYTE = 1024;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    /** Idle connections rest for at least this multiple of a measurement: buffers are freed after some seconds. */
    private static final int RESTS = 10;
    /** Smaller differences are within the variation of a collection. */
    private static final int SETTLED_BYTES = 4 << 20;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final NetPlan plan;
    private final NetCase what;
    private final Map<String, Object> figures = new LinkedHashMap<>();
    private volatile boolean isOver;

    NetTrial(NetPlan plan) {
        this.plan = plan;
        this.what = plan.what();
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws Exception {
        switch (what.mode()) {
            case ROUND_TRIP -> roundTrips();
            case IDLE -> idle();
            default -> messages();
        }
        return figures;
    }

    private void figure(String name, double value) {
        figures.put(what.prefix() + name, value);
    }

    /** Resources used between two moments. */
    private record Used(long ns, long cpuNs, long allocatedBytes, long received) {
        static Used now(long received) {
            return new Used(System.nanoTime(), SYSTEM.getProcessCpuTime(), THREADS.getTotalThreadAllocatedBytes(),
                received);
        }

        Used since(Used before) {
            return new Used(ns - before.ns, cpuNs - before.cpuNs, allocatedBytes - before.allocatedBytes,
                received - before.received);
        }
    }

    private Nodes.Sender[] senders(Nodes nodes, int thread) throws Exception {
        int from = what.mode().from(thread);
        int[] targets = what.targets(from);
        Nodes.Sender[] senders = new Nodes.Sender[targets.length];
        for (int i = 0; i < targets.length; i++) {
            senders[i] = nodes.sender(from, targets[(i + thread) % targets.length]);
        }
        return senders;
    }

    // ---- requests ----

    private void roundTrips() throws Exception {
        try (Nodes nodes = plan.kind().open(what)) {
            trip(nodes, new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS));
            Histogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
            Used before = Used.now(0);
            trip(nodes, histogram);
            Used used = Used.now(histogram.getTotalCount()).since(before);
            for (int i = 0; i < PERCENTILES.length; i++) {
                figures.put(what.figures().get(i), histogram.getValueAtPercentile(PERCENTILES[i]) / THOUSAND);
            }
            figure("K/s", used.received * THOUSAND * THOUSAND / used.ns);
            figure("cpu us", used.cpuNs / THOUSAND / used.received);
            figure("alloc B", (double) used.allocatedBytes / used.received);
        }
    }

    private void trip(Nodes nodes, Histogram histogram) throws InterruptedException {
        long end = System.nanoTime() + plan.measureNs();
        Crew.run(what.threads(), thread -> {
            Nodes.Sender[] senders = senders(nodes, thread);
            long before = System.nanoTime();
            int next = 0;
            do {
                senders[next].request();
                next = next + 1 == senders.length ? 0 : next + 1;
                long now = System.nanoTime();
                histogram.recordValue(Math.min(now - before, histogram.getHighestTrackableValue()));
                before = now;
            } while (before - end < 0);
        });
    }

    // ---- messages ----

    private void messages() throws Exception {
        try (Nodes nodes = plan.kind().open(what)) {
            Thread meter = Thread.ofPlatform().start(() -> measure(nodes));
            Crew.run(what.threads(), thread -> {
                Nodes.Sender[] senders = senders(nodes, thread);
                for (int i = 0; !isOver; i = i + 1 == senders.length ? 0 : i + 1) {
                    senders[i].send();
                }
            });
            meter.join();
        }
    }

    private void measure(Nodes nodes) {
        awaitMore(nodes, 0);
        Used before = Used.now(nodes.received());
        awaitMore(nodes, before.received);                      // nothing here that is linked now, which allocates
        Used used = Used.now(nodes.received()).since(before);
        isOver = true;
        figure("M/s", used.received * THOUSAND / used.ns);
        figure("MB/s", used.received * THOUSAND * what.bytes() / used.ns);
        figure("cpu ns", (double) used.cpuNs / used.received);
        figure("alloc B", (double) used.allocatedBytes / used.received);
    }

    private void awaitMore(Nodes nodes, long received) {
        await(plan.measureNs(), () -> nodes.received() > received);
    }

    /** Waits for some time, and for a condition that becomes true soon. */
    private static void await(long ns, BooleanSupplier isThere) {
        long end = System.nanoTime() + ns;
        while (System.nanoTime() - end < 0 || !isThere.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    // ---- idle connections ----

    private void idle() throws Exception {
        warmUp();
        try (Nodes nodes = plan.kind().open(what)) {
            figure("KiB, first", grown(nodes, 0, 1));
            figure("KiB", grown(nodes, 1, NetMode.IDLE_ASKERS));
        }
    }

    /** Keeps classes loaded and code compiled for the first connections of a process from counting as theirs. */
    private void warmUp() throws Exception {
        try (Nodes nodes = plan.kind().open(what)) {
            askAll(nodes, 0);
        }
    }

    /** Returns the growth of the process per connection of some nodes, when they rest. */
    private double grown(Nodes nodes, int from, int end) throws Exception {
        ProcessMemory before = ProcessMemory.now();
        for (int node = from; node < end; node++) {
            askAll(nodes, node);
        }
        return settled(before) / KIBIBYTE / what.links() / (end - from);
    }

    /** Returns the growth of the process when it no longer shrinks. */
    private double settled(ProcessMemory before) {
        await(RESTS * plan.measureNs(), () -> true);
        double least = ProcessMemory.now().since(before);
        for (boolean isLess = true; isLess; ) {
            await(RESTS * plan.measureNs() / 2, () -> true);
            double now = ProcessMemory.now().since(before);
            isLess = now < least - SETTLED_BYTES;
            least = Math.min(least, now);
        }
        return least;
    }

    private void askAll(Nodes nodes, int from) throws Exception {
        for (int to = NetMode.IDLE_ASKERS; to < what.nodes(); to++) {
            nodes.sender(from, to).request();
        }
    }
}
