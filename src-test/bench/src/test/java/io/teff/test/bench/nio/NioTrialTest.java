package io.teff.test.bench.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.bench.report.UcxLibrary;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every provider has every figure of every pattern. */
@FullTier("A second for each provider and pattern. NioFiguresTest has the figures.")
final class NioTrialTest {
    private static final int MEASURE_MS = 20;
    private static final int CONNECTIONS = 2;

    /** In the short form one of two patterns of each provider. */
    static Stream<Arguments> all() {
        return Stream.of(NioKind.values()).flatMap(kind -> NioCase.all(List.of(NioMode.values()), List.of(64),
                List.of(CONNECTIONS), CONNECTIONS).stream().filter(kind::isFor)
            .filter(what -> Form.isLong() || (kind.ordinal() + what.mode().ordinal()) % 2 == 0)
            .map(what -> Arguments.of(kind, what)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void run_small_hasEveryFigure(NioKind kind, NioCase what) throws Exception {
        assumeTrue(!kind.isOverUcx() || UcxLibrary.isInstalled(), UcxLibrary.MISSING);
        final Map<String, Object> figures = new NioTrial(new NioPlan(kind, what, MEASURE_MS)).run();
        assertEquals(new LinkedHashSet<>(what.figures()), figures.keySet());
        final Object first = figures.get(what.figures().getFirst());
        assertTrue(what.mode() == NioMode.IDLE || ((Number) first).doubleValue() > 0, figures::toString);
    }
}
