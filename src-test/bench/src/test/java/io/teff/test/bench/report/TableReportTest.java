package io.teff.test.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a comparison, letter by letter. */
final class TableReportTest {
    @Test
    void of_smallComparison_isThisText() {
        assertEquals("""
            machine: Abacus 9, 4 processors, 1.5 GiB of memory, Linux 6.1
            JDK: 25.0.1+8, Somebody
            date: 2026-02-03T04:05:06Z
            commit: 0123abc
            flags of all: -XX:+AlwaysPreTouch -Dchronicle.analytics.disable=true \
            --sun-misc-unsafe-memory-access=allow
            flags of Teff: --enable-native-access=ALL-UNNAMED
            flags of OHC linked: --add-exports=java.base/sun.nio.ch=ALL-UNNAMED

            1,000,000 entries of 16-64 B, median of 3 rounds

            million operations per second, 1 thread
                                                B/entry   create      get
            Teff                                   25.0     6.00     12.0
            OHC linked                             48.8     3.25     6.50

            million operations per second, 2 threads
                                                 create      get
            Teff                                   24.0      240
            OHC linked                             13.0      130

            Teff's figure divided by the store's, median of the rounds, 1 thread
                                                 create      get
            OHC linked                             2.25     2.25

            Teff's figure divided by the store's, median of the rounds, 2 threads
                                                 create      get
            OHC linked                             2.25     2.25

            latency in us under a load of a fixed rate; collector pauses of the session in ms
                                                    p50      p99    p99.9   p99.99      max idle max   gc max   gc sum
            Teff                                   1.20     1.20     1.20     1.20     1.20     7.00     0.00     0.00
            OHC linked                             0.65     0.65     0.65     0.65     0.65     7.00     0.00     0.00

            OHC linked failed with exit code 1, see log

            """, TableReport.of(Sample.MACHINE, List.of(Sample.comparison())));
    }

    @Test
    void of_comparisonWithoutTeff_hasNoTableBesideIt() {
        Comparison comparison = new Comparison(1000, new Values(32, 32), 1);
        comparison.add(StoreKind.CHM, Sample.outcome(5));
        String text = TableReport.of(Sample.MACHINE, List.of(comparison));
        assertFalse(text.contains("divided"), text);
    }
}
