package io.teff.test.bench.net;

import static io.teff.test.bench.net.NetKind.NETTY;
import static io.teff.test.bench.net.NetKind.NETTY_CONSOLIDATED;
import static io.teff.test.bench.net.NetKind.SOCKET;
import static io.teff.test.bench.net.NetKind.SOCKET_SPIN;
import static io.teff.test.bench.net.NetKind.TEFF_LOOP;
import static io.teff.test.bench.net.NetKind.TEFF_TCP;
import static io.teff.test.bench.net.NetKind.TEFF_TCP_CHECKSUMS;
import static io.teff.test.bench.net.NetKind.TEFF_TCP_SPIN;
import static io.teff.test.bench.net.NetKind.TEFF_UCX;
import static io.teff.test.bench.net.NetKind.TEFF_UCX_SPIN;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** The bars of Teff's messages of 64 B by one thread over one link. */
final class NetBars {
    private static final int BYTES = 64;
    /**
     * The threshold that counts as zero: a sender that waits whenever an eighth of its ring is full again, each 1,638
     * messages, allocates 32 bytes in the JDK for that, 0.02 a message. Allocations of reads, polls or acknowledgements
     * are larger.
     */
    private static final double ALLOCATED_BYTES_MAX = 0.05;
    private static final double ALLOCATED_BYTES_SEEN = 0.0001;

    private NetBars() {}

    /** Returns the bars with figures. */
    static List<Bar> of(Rounds<NetKind> rounds) {
        String trip = new NetCase(NetMode.ROUND_TRIP, BYTES, 1, 1).prefix();
        String way = new NetCase(NetMode.ONE_WAY, BYTES, 1, 1).prefix();
        List<Bar> bars = new ArrayList<>();
        bars.add(latency(rounds, "2 x p50 of blocking sockets / p50", trip + "p50 us", 2, SOCKET, TEFF_TCP));
        bars.add(latency(rounds, "2 x p50 of spinning sockets / p50", trip + "p50 us", 2, SOCKET_SPIN, TEFF_TCP));
        bars.add(latency(rounds, "2 x p50 of spinning sockets / p50, spinning", trip + "p50 us", 2, SOCKET_SPIN,
            TEFF_TCP_SPIN));
        bars.add(latency(rounds, "3 x p99 of blocking sockets / p99", trip + "p99 us", 3, SOCKET, TEFF_TCP));
        bars.add(latency(rounds, "3 x p99 of spinning sockets / p99", trip + "p99 us", 3, SOCKET_SPIN, TEFF_TCP));
        bars.add(latency(rounds, "3 x p99 of spinning sockets / p99, spinning", trip + "p99 us", 3, SOCKET_SPIN,
            TEFF_TCP_SPIN));
        bars.add(latency(rounds, "0.6 x p50 of tcp / p50 of ucx, spinning", trip + "p50 us", 0.6, TEFF_TCP_SPIN,
            TEFF_UCX_SPIN));
        bars.add(new Bar("messages over ucx / tcp", rounds.ratio(TEFF_UCX, way + "M/s", TEFF_TCP, way + "M/s"), 1));
        bars.add(ratio(rounds, "messages / one call per message", way, SOCKET, 5));
        bars.add(ratio(rounds, "messages / Netty", way, NETTY, 2));
        bars.add(ratio(rounds, "messages / Netty, flush consolidation", way, NETTY_CONSOLIDATED, 0.7));
        bars.add(ratio(rounds, "messages / the same with checksums", way, TEFF_TCP_CHECKSUMS, Double.NaN));
        bars.add(new Bar("messages in the process, M/s", rounds.median(TEFF_LOOP, way + "M/s"), 5));
        bars.add(nothing(rounds, "0.05 B / allocated by a message, tcp", way, TEFF_TCP));
        bars.add(nothing(rounds, "0.05 B / allocated by a message, process", way, TEFF_LOOP));
        bars.add(new Bar("64 KiB / memory of an idle connection, both ends",
            64 / Math.max(rounds.median(TEFF_TCP, new NetCase(NetMode.IDLE, BYTES, 1, NetCase.IDLE_LINKS).prefix()
                + "KiB"), 1), 1));                              // less than one is not to be seen in a whole process
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }

    private static Bar latency(Rounds<NetKind> rounds, String name, String figure, double times, NetKind other,
                               NetKind own) {
        return new Bar(name, times * rounds.ratio(other, figure, own, figure), 1);
    }

    /** Of all threads of the process. */
    private static Bar nothing(Rounds<NetKind> rounds, String name, String prefix, NetKind kind) {
        return new Bar(name, ALLOCATED_BYTES_MAX
            / Math.max(rounds.median(kind, prefix + "alloc B"), ALLOCATED_BYTES_SEEN), 1);
    }

    private static Bar ratio(Rounds<NetKind> rounds, String name, String prefix, NetKind other, double least) {
        return new Bar(name, rounds.ratio(TEFF_TCP, prefix + "M/s", other, prefix + "M/s"), least);
    }
}
