package io.teff.test.bench.net;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What one process does.
 *
 * @param kind the way that messages go
 * @param what who sends to whom
 * @param measureMs time of the measurement, after as long a warm-up
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
