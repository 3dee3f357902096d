package io.teff.test.bench.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.bench.report.UcxLibrary;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender that needs no device moves bytes in every pattern, and has its figures. */
@FullTier("Seconds for each pattern, one of the tests with runs, which take most of the 379 s of this lane. "
    + "RdmaFiguresTest has the figures.")
final class RdmaTrialTest {
    private static final int MEASURE_MS = 20;
    private static final int MEASURE_MS_MAX = 2_000;
    private static final int BYTES = 64;

    /** In the short form one of two patterns of each kind, the others over TCP, by sockets that poll, or over UCX. */
    static Stream<Arguments> all() {
        final int processors = Runtime.getRuntime().availableProcessors();
        return Stream.of(RdmaKind.values()).filter(kind -> kind.place() == RdmaKind.Place.HOST)
            .flatMap(kind -> Stream.of(RdmaPattern.values()).filter(pattern -> kind.isFor(pattern, processors))
            .filter(pattern -> Form.isLong() || (kind.ordinal() / 2 + pattern.ordinal()) % 2 == 1)
            .map(pattern -> Arguments.of(kind, pattern)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void run_small_hasPositiveFigures(RdmaKind kind, RdmaPattern pattern) throws Exception {
        final String program = ToolTrial.program(kind.tool());
        assumeTrue(program == null || ToolTrial.isInstalled(program), program + " is missing");
        final boolean isUcx = kind.id().matches("teff-ucx.*|messages-ucx");
        assumeTrue(!isUcx || UcxLibrary.isInstalled(), UcxLibrary.MISSING);
        final List<RdmaCase> cases = RdmaCase.of(pattern, List.of(BYTES));
        final RdmaCase what = cases.getFirst();
        final boolean isEmpty = kind.id().startsWith("messages") && pattern == RdmaPattern.MANY_TO_ONE;
        final String column = pattern.isLatency() ? "p50 us" : "M/s";
        int measureMs = MEASURE_MS;
        Map<String, Object> figures = run(kind, cases, measureMs);
        while (!isEmpty && measureMs < MEASURE_MS_MAX && number(figures, what, column) == 0) {
            measureMs *= 10;                                    // on a busy machine none may run in so short a time
            figures = run(kind, cases, measureMs);
        }
        check(kind, pattern, what, figures);
    }

    private static Map<String, Object> run(RdmaKind kind, List<RdmaCase> cases, int measureMs) throws Exception {
        return new RdmaTrial(new RdmaPlan(kind, cases, measureMs, null), null).run();
    }

    private static void check(RdmaKind kind, RdmaPattern pattern, RdmaCase what, Map<String, Object> figures) {
        final String column = pattern.isLatency() ? "p50 us" : "M/s";
        if (kind.id().startsWith("messages") && pattern == RdmaPattern.MANY_TO_ONE) {
            assertEquals(Map.of(), figures);
        } else {
            assertTrue(number(figures, what, column) > 0, figures::toString);
        }
        if (kind == RdmaKind.TEFF_UCX && pattern == RdmaPattern.PING_PONG) {
            assertTrue(number(figures, what, "p50 us") <= number(figures, what, "max us"), figures::toString);
        }
    }

    private static double number(Map<String, Object> figures, RdmaCase what, String column) {
        return ((Number) Objects.requireNonNull(figures.get(what.prefix() + column), figures::toString)).doubleValue();
    }

    @Test
    void targets_perPattern_areTheOthers() {
        assertArrayEquals(new int[] {1}, RdmaPattern.READ_RATE.targets(0));
        assertArrayEquals(new int[0], RdmaPattern.READ_RATE.targets(1));
        assertArrayEquals(new int[] {0}, RdmaPattern.BOTH_WAYS.targets(1));
        assertArrayEquals(new int[] {0}, RdmaPattern.MANY_TO_ONE.targets(3));
        assertArrayEquals(new int[] {3, 0, 1}, RdmaPattern.ALL_TO_ALL.targets(2));
    }

    @Test
    void of_atomics_haveOneLength() {
        assertEquals(List.of(new RdmaCase(RdmaPattern.ATOMIC_RATE, 8)),
            RdmaCase.of(RdmaPattern.ATOMIC_RATE, List.of(1, 64)));
    }
}
