package io.teff.test.bench.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.FullTier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every attack runs, ends its link, and has every figure. */
@FullTier("Attacks on links, one of the tests with runs, which take most of the 379 s of this lane. "
    + "AttackFiguresTest has the figures.")
final class AttackTrialTest {
    private static final int RATE = 100;

    @ParameterizedTest
    @EnumSource
    void run_small_hasEveryFigure(Attack attack) throws Exception {
        AttackPlan plan = new AttackPlan(attack, 8, 50, 2, RATE);
        Map<String, Object> figures = attack.isFlood() ? new FloodTrial(plan).run() : new CutTrial(plan).run();
        assertEquals(attack.figures(), List.copyOf(figures.keySet()));
        figures.forEach((name, value) -> assertTrue(((Number) value).doubleValue() > 0, () -> name + " is " + value));
    }
}
