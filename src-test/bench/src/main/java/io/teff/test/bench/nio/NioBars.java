package io.teff.test.bench.nio;

import static io.teff.test.bench.nio.NioKind.JDK;
import static io.teff.test.bench.nio.NioKind.TEFF;
import static io.teff.test.bench.nio.NioKind.UCX;

import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Rounds;
import java.util.ArrayList;
import java.util.List;

/** The bars of the selector provider. */
final class NioBars {
    /** What another provider over UCX needs. */
    static final String PUBLISHED = "published: hadroNIO has a ring of 8 MiB for each direction of a connection, so "
        + "16,384 KiB for each end before the first byte";
    private static final int SHORT_BYTES = 16;
    private static final int LONG_BYTES = 64 << 10;
    private static final double KIB_MAX = 64;

    private NioBars() {}

    /** Returns the bars with figures. */
    static List<Bar> of(Rounds<NioKind> rounds) {
        final List<Bar> bars = new ArrayList<>();
        final String spin = new NioCase(NioMode.PLAIN_TRIP, SHORT_BYTES, 1).prefix() + "p50 us";
        bars.add(new Bar("0.6 x JDK / round trip, spinning", 0.6 * rounds.ratio(JDK, spin, TEFF, spin), 1));
        bars.add(new Bar("1.3 x UCX / round trip, spinning", 1.3 * rounds.ratio(UCX, spin, TEFF, spin), 1));
        final String block = new NioCase(NioMode.BLOCKING_TRIP, SHORT_BYTES, 1).prefix() + "p50 us";
        bars.add(new Bar("JDK / round trip, blocking", rounds.ratio(JDK, block, TEFF, block), 1));
        final String netty = new NioCase(NioMode.NETTY_TRIP, SHORT_BYTES, 1).prefix() + "p50 us";
        bars.add(new Bar("JDK / round trip, Netty", rounds.ratio(JDK, netty, TEFF, netty), 1));
        final String rate = new NioCase(NioMode.PLAIN_RATE, LONG_BYTES, 1).prefix() + "MB/s";
        bars.add(new Bar("stream of 64 KiB / 0.9 x UCX", rounds.ratio(TEFF, rate, UCX, rate) / 0.9, 1));
        bars.add(new Bar("stream of 64 KiB / JDK", rounds.ratio(TEFF, rate, JDK, rate), 1));
        rounds.names().stream().filter(name -> name.startsWith(NioMode.IDLE.id() + ' ') && name.endsWith("KiB"))
            .forEach(name -> bars.add(new Bar("64 KiB / memory of an idle connection", KIB_MAX
                / Math.max(rounds.median(TEFF, name), 1), 1)));
        return bars.stream().filter(bar -> !Double.isNaN(bar.value())).toList();
    }
}
