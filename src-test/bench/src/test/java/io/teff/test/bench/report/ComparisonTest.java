package io.teff.test.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests of the figures of rounds. */
final class ComparisonTest {
    private static final double EXACT = 1e-9;

    private final Comparison comparison = Sample.comparison();

    @Test
    void median_oddAndEvenNumbersOfRounds_isInTheMiddle() {
        assertEquals(12, comparison.median(StoreKind.TEFF, "get/1"));
        assertEquals(6.5, comparison.median(StoreKind.OHC_LINKED, "get/1"));
    }

    @Test
    void median_unknownStoreOrFigure_isNotANumber() {
        assertEquals(Double.NaN, comparison.median(StoreKind.CHM, "get/1"));
        assertEquals(Double.NaN, comparison.median(StoreKind.TEFF, "no such figure"));
        assertEquals(Double.NaN, comparison.spread(StoreKind.CHM, "get/1"));
        assertEquals(Double.NaN, comparison.ratio(StoreKind.CHM, "get/1"));
    }

    @Test
    void spread_severalRounds_isHalfOfTheDistanceAsAShareOfTheMedian() {
        assertEquals((20 - 10) / 2.0 / 12, comparison.spread(StoreKind.TEFF, "get/1"), EXACT);
        assertEquals(0, comparison.spread(StoreKind.TEFF, "gc pause max ms"));
    }

    /** The second round has no figures of the other store: 20 pairs with 8, not by position in a list without holes. */
    @Test
    void ratio_roundWithoutASession_takesTheOthersInPairs() {
        assertEquals((10 / 5.0 + 20 / 8.0) / 2, comparison.ratio(StoreKind.OHC_LINKED, "get/1"), EXACT);
        assertEquals(1, comparison.ratio(StoreKind.TEFF, "get/1"));
    }

    @Property(tries = 100)
    void ratio_driftThatHitsBothStores_isNotSeen(
        @ForAll @Size(min = 1, max = 9) List<@DoubleRange(min = 0.5, max = 2) Double> drift) {
        Comparison drifting = new Comparison(1000, new Values(32, 32), drift.size());
        for (double factor : drift) {
            drifting.add(StoreKind.TEFF, new Outcome(Map.of("get/1", 30 * factor), null));
            drifting.add(StoreKind.CHM, new Outcome(Map.of("get/1", 10 * factor), null));
        }
        assertEquals(3, drifting.ratio(StoreKind.CHM, "get/1"), EXACT);
    }

    @Test
    void isComplete_afterAFailure_isFalse() {
        assertFalse(comparison.isComplete());
        assertEquals(Map.of(StoreKind.OHC_LINKED, "failed with exit code 1, see log"), comparison.failures());
        assertTrue(new Comparison(1000, new Values(32, 32), 1).isComplete());
    }

    @Test
    void json_severalRounds_hasMachineAndFlagsAndEachFigureWithItsSpread() throws IOException {
        Map<String, Object> document = JSON.std.mapFrom(Comparison.json(Sample.MACHINE, List.of(comparison)));
        assertEquals(Map.of("processor", "Abacus 9", "processors", 4, "memoryBytes", 3 << 29, "kernel", "Linux 6.1",
            "jdk", "25.0.1+8, Somebody", "date", "2026-02-03T04:05:06Z", "commit", "0123abc"), document.get("machine"));
        assertEquals(SessionProcess.FLAGS, document.get("flags of all"));
        assertEquals(Map.of("teff", StoreKind.TEFF.flags(), "ohc-linked", StoreKind.OHC_LINKED.flags()),
            document.get("flags"));
        Map<?, ?> one = (Map<?, ?>) ((List<?>) document.get("comparisons")).getFirst();
        assertEquals(List.of(1_000_000, "16-64", 3), List.of(one.get("entries"), one.get("values"), one.get("rounds")));
        assertEquals(Map.of("ohc-linked", "failed with exit code 1, see log"), one.get("failures"));
        Map<?, ?> stores = (Map<?, ?>) one.get("figures");
        assertEquals(Map.of("median", 12.0, "spread", 5 / 12.0, "rounds", List.of(10.0, 12.0, 20.0)),
            ((Map<?, ?>) stores.get("teff")).get("get/1"));
        assertEquals(List.of(5.0, 8.0),
            ((Map<?, ?>) ((Map<?, ?>) stores.get("ohc-linked")).get("get/1")).get("rounds"));
    }

    @Test
    void json_medianOfZero_hasNoSpreadThatIsNoNumber() throws IOException {
        Comparison pauses = new Comparison(1000, new Values(32, 32), 3);
        for (double ms : new double[] {0, 0, 5}) {
            pauses.add(StoreKind.CHM, new Outcome(Map.of("gc pause max ms", ms), null));
        }
        String document = Comparison.json(Sample.MACHINE, List.of(pauses));
        assertFalse(document.contains("spread") || document.contains("Infinity") || document.contains("NaN"), document);
    }
}
