package io.teff.test.bench.cluster;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plan of one process.
 *
 * @param kind the way to reach peers
 * @param threads number of threads that call
 * @param bytes length of a chunk
 * @param measureMs time of each measurement, after a warm-up of the same length
 */
record ClusterPlan(ClusterKind kind, int threads, int bytes, int measureMs) implements ProcessPlan {
    private static final long MEMORY_BYTES = 2L << 30;

    @Override
    public long memoryBytes() {
        return MEMORY_BYTES;
    }

    @Override
    public List<String> arguments() {
        return List.of("cluster-session", "--kind", kind.id(), "--threads", "" + threads, "--bytes", "" + bytes,
            "--measure-ms", "" + measureMs);
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }

    /** Returns the prefix of the names of an operation's figures. */
    static String prefix(ClusterOp op, int threads) {
        return op.id() + ' ' + threads + ": ";
    }
}
