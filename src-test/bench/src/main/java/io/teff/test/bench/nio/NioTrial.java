package io.teff.test.bench.nio;

import com.sun.management.OperatingSystemMXBean;
import io.teff.test.bench.session.ProcessMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** One case of one provider, in this JVM. */
final class NioTrial {
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final double THOUSAND = 1e3;
    private static final double PERCENT = 100;
    private static final double KIBIBYTE = 1024;
    private static final double[] PERCENTILES = {50, 99, 99.9};
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final NioPlan plan;
    private final NioCase what;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    NioTrial(NioPlan plan) {
        this.plan = plan;
        this.what = plan.what();
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws Exception {
        final Path registry = Files.createTempDirectory("bench-nio");
        try {
            if (what.mode() == NioMode.IDLE) {
                idle(registry.resolve("registry").toString());
            } else {
                try (Ends ends = open(registry.resolve("registry").toString())) {
                    measure(ends);
                }
            }
        } finally {
            delete(registry);
        }
        return figures;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        }
    }

    private Ends open(String registry) throws Exception {
        if (plan.kind() == NioKind.UCX) {
            return new UcxEnds(what);
        }
        return what.mode().isNetty() ? new NettyEnds(plan.kind(), what, registry)
            : new PlainEnds(plan.kind(), what, registry);
    }

    /** Measures a time behind a warm-up of the same length, while the ends run. */
    private void measure(Ends ends) throws Exception {
        ends.start();
        rest();
        ends.restart();
        final long beginNs = System.nanoTime();
        final long cpuBeginNs = SYSTEM.getProcessCpuTime();
        final long countBefore = ends.count();
        do {
            rest();
        } while (ends.count() == countBefore && !ends.isFailed()); // at least one, on a busy machine
        final double ns = System.nanoTime() - beginNs;
        final double cpuNs = SYSTEM.getProcessCpuTime() - cpuBeginNs;
        final double count = ends.count() - countBefore;
        final Histogram histogram = ends.stop();
        if (what.mode().columns().contains("K/s")) {
            for (int i = 0; i < PERCENTILES.length; i++) {
                figures.put(what.figures().get(i), histogram.getValueAtPercentile(PERCENTILES[i]) / THOUSAND);
            }
            figure("K/s", count * THOUSAND * THOUSAND / ns);
            figure("cpu us", cpuNs / THOUSAND / count);
        } else {
            figure("M/s", count * THOUSAND / ns);
            figure("MB/s", count * THOUSAND * what.bytes() / ns);
            figure("cpu ns", cpuNs / count);
        }
    }

    private void figure(String name, double value) {
        figures.put(what.prefix() + name, value);
    }

    private void rest() {
        final long end = System.nanoTime() + plan.measureNs();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    // ---- idle connections ----

    private void idle(String registry) throws Exception {
        final List<String> names = what.figures();
        try (IdleEnds warm = new IdleEnds(plan.kind(), 1, registry + "-warm")) {
            warm.connect();
        }
        final ProcessMemory before = ProcessMemory.now();
        try (IdleEnds ends = new IdleEnds(plan.kind(), what.connections(), registry)) {
            ends.connect();
            rest();
            figures.put(names.getFirst(), ProcessMemory.now().since(before) / KIBIBYTE / what.connections());
            final long beginNs = System.nanoTime();
            final long cpuBeginNs = SYSTEM.getProcessCpuTime();
            rest();
            figures.put(names.getLast(), PERCENT * (SYSTEM.getProcessCpuTime() - cpuBeginNs)
                / (System.nanoTime() - beginNs));
        }
    }
}
