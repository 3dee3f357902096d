package io.teff.test.bench.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way carries messages in every mode, and has every figure. */
@FullTier("Seconds for each way to carry messages, one of the tests with runs, which take most of the 379 s of "
    + "this lane. NetFiguresTest has the figures.")
final class NetTrialTest {
    private static final int MEASURE_MS = 20;

    /** In the short form one of two modes of each kind, others for the next kind. */
    static Stream<Arguments> all() {
        return Stream.of(NetKind.values()).flatMap(kind -> Stream.of(NetMode.values())
            .map(NetTrialTest::small).filter(kind::isFor)
            .filter(what -> Form.isLong() || (kind.ordinal() + what.mode().ordinal()) % 2 == 0)
            .map(what -> Arguments.of(kind, what)));
    }

    private static NetCase small(NetMode mode) {
        return mode == NetMode.ROUND_TRIP ? new NetCase(mode, 16, 1, 1)
            : new NetCase(mode, 64, mode.isFixed() ? NetMode.ALL : 2, 2);
    }

    @ParameterizedTest
    @MethodSource("all")
    void run_small_hasEveryFigure(NetKind kind, NetCase what) throws Exception {
        Map<String, Object> figures = new NetTrial(new NetPlan(kind, what, MEASURE_MS)).run();
        assertEquals(new LinkedHashSet<>(what.figures()), figures.keySet());
        Object first = figures.get(what.figures().getFirst());
        assertTrue(what.mode() == NetMode.IDLE || ((Number) first).doubleValue() > 0, figures::toString);
    }

    @ParameterizedTest
    @EnumSource
    void run_longRequests_areAnswered(NetKind kind) throws Exception {
        NetCase what = new NetCase(NetMode.ROUND_TRIP, 64 << 10, 1, 1);
        Map<String, Object> figures = new NetTrial(new NetPlan(kind, what, MEASURE_MS)).run();
        assertEquals(new LinkedHashSet<>(what.figures()), figures.keySet());
    }

    @Test
    void all_threeLists_variesEachAlone() {
        List<NetCase> cases = NetCase.all(List.of(NetMode.ONE_WAY, NetMode.ALL_TO_ALL, NetMode.IDLE), List.of(64, 16),
            List.of(1, 4), List.of(1, 8));
        assertEquals(List.of(new NetCase(NetMode.ONE_WAY, 64, 1, 1), new NetCase(NetMode.ONE_WAY, 16, 1, 1),
            new NetCase(NetMode.ONE_WAY, 64, 4, 1), new NetCase(NetMode.ONE_WAY, 64, 1, 8),
            new NetCase(NetMode.ALL_TO_ALL, 64, 4, 4), new NetCase(NetMode.IDLE, 64, 1, 1000)), cases);
    }

    @Test
    void targets_perMode_areTheOthers() {
        assertArrayEquals(new int[] {1, 2, 3}, new NetCase(NetMode.ONE_WAY, 64, 1, 3).targets(0));
        assertArrayEquals(new int[] {0}, new NetCase(NetMode.BOTH_WAYS, 64, 2, 1).targets(1));
        assertArrayEquals(new int[] {0, 1, 3}, new NetCase(NetMode.ALL_TO_ALL, 64, 4, 4).targets(2));
    }
}
