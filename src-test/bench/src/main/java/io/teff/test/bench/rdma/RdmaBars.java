package io.teff.test.bench.rdma;

import static io.teff.test.bench.rdma.RdmaKind.LOOP_C;
import static io.teff.test.bench.rdma.RdmaKind.TEFF_UCX;
import static io.teff.test.bench.rdma.RdmaKind.TEFF_VERBS;
import static io.teff.test.bench.rdma.RdmaKind.UCX_PERFTEST;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** The bars of the bindings: how far Java may be behind the same thing in C. */
final class RdmaBars {
    private static final int SHORT_BYTES = 8;
    private static final int LONG_BYTES = 64 << 10;
    private static final double LATENCY = 1.1;
    private static final double WRITES = 0.97;
    private static final double UCX_LATENCY = 1.2;
    private static final double UCX_STREAM = 0.95;
    private static final double POLL_NS = 20;
    /** Counts as zero: the recording of the measurement itself allocates some hundred bytes in all. */
    private static final double ALLOCATED_BYTES_MAX = 0.05;
    private static final double ALLOCATED_BYTES_SEEN = 0.0001;

    private RdmaBars() {}

    /** Returns the bars with figures. */
    static List<Bar> of(Rounds<RdmaKind> rounds) {
        final List<Bar> bars = new ArrayList<>();
        for (RdmaPattern pattern : List.of(RdmaPattern.PING_PONG, RdmaPattern.WRITE_LATENCY, RdmaPattern.READ_LATENCY,
            RdmaPattern.ATOMIC_LATENCY)) {
            final String prefix = new RdmaCase(pattern, SHORT_BYTES).prefix();
            bars.add(new Bar("1.1 x " + pattern.id() + " in C / verbs", LATENCY
                * rounds.ratio(LOOP_C, prefix + "p50 us", TEFF_VERBS, prefix + "p50 us"), 1));
            bars.add(new Bar("0.05 B / allocated by " + pattern.id(), ALLOCATED_BYTES_MAX
                / Math.max(rounds.median(TEFF_VERBS, prefix + "alloc B"), ALLOCATED_BYTES_SEEN), 1));
        }
        final String writes = new RdmaCase(RdmaPattern.WRITE_RATE, LONG_BYTES).prefix() + "MB/s";
        bars.add(new Bar("writes of 64 KiB / 0.97 x in C", rounds.ratio(TEFF_VERBS, writes, LOOP_C, writes) / WRITES,
            1));
        bars.add(new Bar("20 ns / poll of an empty queue",
            POLL_NS / rounds.median(TEFF_VERBS, new RdmaCase(RdmaPattern.POLL, 0).figures().getFirst()), 1));
        final String trip = new RdmaCase(RdmaPattern.PING_PONG, SHORT_BYTES).prefix() + "p50 us";
        bars.add(new Bar("1.2 x ucx_perftest / UCX ping-pong", UCX_LATENCY
            * rounds.ratio(UCX_PERFTEST, trip, TEFF_UCX, trip), 1));
        final String stream = new RdmaCase(RdmaPattern.STREAM, LONG_BYTES).prefix() + "MB/s";
        bars.add(new Bar("UCX stream / 0.95 x ucx_perftest",
            rounds.ratio(TEFF_UCX, stream, UCX_PERFTEST, stream) / UCX_STREAM, 1));
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }
}
