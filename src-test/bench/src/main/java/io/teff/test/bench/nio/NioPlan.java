package io.teff.test.bench.nio;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plan of one process.
 *
 * @param kind the contender
 * @param what the case
 * @param measureMs time of the measurement, after a warm-up of the same length
 */
record NioPlan(NioKind kind, NioCase what, int measureMs) implements ProcessPlan {
    @Override
    public String logName() {
        return kind.id() + '-' + what.mode().id();
    }

    @Override
    public List<String> arguments() {
        return List.of("nio-session", "--kind", kind.id(), "--mode", what.mode().id(), "--bytes", "" + what.bytes(),
            "--connections", "" + what.connections(), "--measure-ms", "" + measureMs);
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }
}
