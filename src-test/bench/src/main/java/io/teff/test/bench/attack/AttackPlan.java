package io.teff.test.bench.attack;

import io.teff.test.bench.session.ProcessPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plan of one process.
 *
 * @param kind the attack
 * @param cuts how often a rule is broken
 * @param measureMs time of each of two neighbouring measurements, without a flood and with it
 * @param pairs number of these pairs
 * @param rate attacks of a flood per second
 */
record AttackPlan(Attack kind, int cuts, int measureMs, int pairs, int rate) implements ProcessPlan {
    @Override
    public List<String> arguments() {
        return List.of("attack-session", "--kind", kind.id(), "--cuts", "" + cuts, "--measure-ms", "" + measureMs,
            "--pairs", "" + pairs, "--rate", "" + rate);
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }
}
