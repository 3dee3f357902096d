package io.teff.test.bench.net;

import io.teff.test.bench.store.Named;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures Teff's messages in this JVM for other comparisons, which have their own names for patterns. */
public final class MessageRun {
    private static final int BYTES_MAX = 64 << 10;

    private MessageRun() {}

    /**
     * Measures messages.
     *
     * @param isUcx whether they go over UCX; else over TCP
     * @param pattern ping-pong, bandwidth, both-ways, or all-to-all; others are not measured
     * @param bytes of a message; lengths that the comparison of messages does not have are not measured
     * @param measureMs time of the measurement, after as long a warm-up
     * @return figures by column, with half of the round trips as latencies; empty if it is not measured
     */
    public static Map<String, Double> run(boolean isUcx, String pattern, int bytes, int measureMs) throws Exception {
        final String name = switch (pattern) {
            case "ping-pong" -> "round-trip";
            case "bandwidth" -> "one-way";
            default -> pattern;
        };
        final NetMode mode = Named.of(NetMode.values(), name).orElse(NetMode.IDLE);
        if (mode == NetMode.IDLE || bytes < NetCase.BYTES_MIN || bytes > BYTES_MAX) {
            return Map.of();
        }
        final int nodes = mode.isFixed() ? mode.nodes(1) : 1;
        final NetCase what = new NetCase(mode, bytes, nodes, nodes);
        final NetKind kind = isUcx ? NetKind.TEFF_UCX : NetKind.TEFF_TCP;
        final Map<String, Double> figures = new LinkedHashMap<>();
        new NetTrial(new NetPlan(kind, what, measureMs)).run().forEach((figure, value) -> {
            final String column = figure.substring(what.prefix().length());
            final double parts = column.startsWith("p") ? 2 : 1;
            figures.put(column, ((Number) value).doubleValue() / parts);
        });
        return figures;
    }
}
