package io.teff.test.bench.net;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plan of one process.
 *
 * @param kind the way to send messages
 * @param what the case
 * @param measureMs time of the measurement, after a warm-up of the same length
 */
record NetPlan(NetKind kind, NetCase what, int measureMs) implements ProcessPlan {
    private static final long MEMORY_BYTES = 2L << 30;

    @Override
    public long memoryBytes() {
        return MEMORY_BYTES;
    }

    @Override
    public String logName() {
        return kind.id() + '-' + what.mode().id();
    }

    @Override
    public List<String> arguments() {
        return List.of("net-session", "--kind", kind.id(), "--mode", what.mode().id(), "--bytes", "" + what.bytes(),
            "--threads", "" + what.threads(), "--links", "" + what.links(), "--measure-ms", "" + measureMs);
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }
}
