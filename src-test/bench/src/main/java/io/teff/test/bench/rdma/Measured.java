package io.teff.test.bench.rdma;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a measurement has found.
 *
 * @param histogram times of single operations, in ns; empty for a rate
 * @param operations how many
 * @param ns time of the measurement
 * @param cpuNs processor time of the process
 * @param allocatedBytes of the threads that begin operations
 * @param wireBytes what devices have sent meanwhile, by their counters; NaN without counters
 */
record Measured(Histogram histogram, long operations, long ns, long cpuNs, long allocatedBytes, double wireBytes) {
    private static final double THOUSAND = 1e3;
    private static final double MILLION = 1e6;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};

    /** Returns figures by name. */
    Map<String, Object> figures(RdmaCase what) {
        final Map<String, Object> figures = new LinkedHashMap<>();
        final List<String> names = what.figures();
        if (what.pattern().isLatency()) {
            final double parts = what.pattern() == RdmaPattern.PING_PONG ? 2 : 1;
            for (int i = 0; i < PERCENTILES.length; i++) {
                figures.put(names.get(i), histogram.getValueAtPercentile(PERCENTILES[i]) / THOUSAND / parts);
            }
            figures.put(what.prefix() + "K/s", operations * MILLION / ns);
            figures.put(what.prefix() + "alloc B", (double) allocatedBytes / operations);
        } else {
            figures.put(what.prefix() + "M/s", operations * THOUSAND / ns);
            figures.put(what.prefix() + "MB/s", operations * THOUSAND * what.bytes() / ns);
            figures.put(what.prefix() + "cpu ns", (double) cpuNs / operations);
            figures.put(what.prefix() + "alloc B", (double) allocatedBytes / operations);
            if (Double.isFinite(wireBytes)) {
                figures.put(what.prefix() + "wire B", wireBytes / operations);
            }
        }
        return figures;
    }
}
