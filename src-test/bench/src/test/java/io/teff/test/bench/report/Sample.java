package io.teff.test.bench.report;

import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A small comparison with known figures, on a machine that does not exist. */
public final class Sample {
    /** The machine. */
    public static final Machine MACHINE = new Machine("Abacus 9", 4, 3L << 29, "Linux 6.1", "25.0.1+8, Somebody",
        Instant.parse("2026-02-03T04:05:06Z"), "0123abc");

    private Sample() {}

    /** Three rounds of Teff and OHC, whose second session fails. */
    static Comparison comparison() {
        Comparison comparison = new Comparison(1_000_000, new Values(16, 64), 3);
        double[] teff = {10, 12, 20};
        double[] other = {5, 0, 8};
        for (int round = 0; round < 3; round++) {
            comparison.add(StoreKind.TEFF, outcome(teff[round]));
            comparison.add(StoreKind.OHC_LINKED, round == 1 ? new Outcome(Map.of(), "failed with exit code 1, see log")
                : outcome(other[round]));
        }
        return comparison;
    }

    /** Figures of a session, all of which follow from one number. */
    static Outcome outcome(double get) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("create/2", get * 2);
        figures.put("create/1", get / 2);
        figures.put("bytes", 300 / get);
        figures.put("get/1", get);
        figures.put("nothing/1", 1000.0);
        figures.put("get/2", get * 20);
        figures.put("nothing max us", 7.0);
        for (String percentile : new String[] {"p50", "p99", "p99.9", "p99.99", "max"}) {
            figures.put("latency " + percentile + " us", get / 10);
        }
        figures.put("gc pause max ms", 0.0);
        figures.put("gc pause sum ms", 0.0);
        return new Outcome(figures, null);
    }
}
