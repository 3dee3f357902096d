package io.teff.test.bench.net;

import static io.teff.test.bench.net.NetKind.NETTY;
import static io.teff.test.bench.net.NetKind.NETTY_CONSOLIDATED;
import static io.teff.test.bench.net.NetKind.SOCKET;
import static io.teff.test.bench.net.NetKind.SOCKET_SPIN;
import static io.teff.test.bench.net.NetKind.TEFF_LOOP;
import static io.teff.test.bench.net.NetKind.TEFF_TCP;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** What is asked of Teff's messages; of 64 B by one thread over one link. */
final class NetBars {
    private static final int BYTES = 64;

    private NetBars() {}

    /** All that there are figures for. */
    static List<Bar> of(Rounds<NetKind> rounds) {
        String trip = new NetCase(NetMode.ROUND_TRIP, BYTES, 1, 1).prefix();
        String way = new NetCase(NetMode.ONE_WAY, BYTES, 1, 1).prefix();
        List<Bar> bars = new ArrayList<>();
        bars.add(new Bar("2 x p50 of blocking sockets / p50",
            2 * rounds.ratio(SOCKET, trip + "p50 us", TEFF_TCP, trip + "p50 us"), 1));
        bars.add(new Bar("2 x p50 of spinning sockets / p50",
            2 * rounds.ratio(SOCKET_SPIN, trip + "p50 us", TEFF_TCP, trip + "p50 us"), 1));
        bars.add(new Bar("3 x p99 of blocking sockets / p99",
            3 * rounds.ratio(SOCKET, trip + "p99 us", TEFF_TCP, trip + "p99 us"), 1));
        bars.add(new Bar("3 x p99 of spinning sockets / p99",
            3 * rounds.ratio(SOCKET_SPIN, trip + "p99 us", TEFF_TCP, trip + "p99 us"), 1));
        bars.add(ratio(rounds, "messages / one call per message", way, SOCKET, 5));
        bars.add(ratio(rounds, "messages / Netty", way, NETTY, 2));
        bars.add(ratio(rounds, "messages / Netty, flush consolidation", way, NETTY_CONSOLIDATED, 0.7));
        bars.add(new Bar("messages in the process, M/s", rounds.median(TEFF_LOOP, way + "M/s"), 5));
        bars.add(new Bar("64 KiB / memory of an idle connection, both ends",
            64 / Math.max(rounds.median(TEFF_TCP, new NetCase(NetMode.IDLE, BYTES, 1, NetCase.IDLE_LINKS).prefix()
                + "KiB"), 1), 1));                              // less than one is not to be seen in a whole process
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }

    private static Bar ratio(Rounds<NetKind> rounds, String name, String prefix, NetKind other, double least) {
        return new Bar(name, rounds.ratio(TEFF_TCP, prefix + "M/s", other, prefix + "M/s"), least);
    }
}
