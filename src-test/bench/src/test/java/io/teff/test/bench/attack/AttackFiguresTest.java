package io.teff.test.bench.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the reports of attacks. */
final class AttackFiguresTest {
    private static AttackFigures figures() {
        AttackFigures figures = new AttackFigures(2, 200);
        for (double factor : new double[] {1, 3}) {
            figures.add(Attack.PROOF, new Outcome(Map.of("cut p99 us", 1000 * factor), null));
            figures.add(Attack.HALF_OPEN_FLOOD, new Outcome(Map.of("p99 x", 1.1 * factor), null));
            figures.add(Attack.HALF_OPEN_CONTROL, new Outcome(Map.of("p99 x", 0.55 * factor), null));
        }
        return figures;
    }

    @Test
    void table_threeAttacks_hasMediansAndBars() {
        List<String> lines = figures().table(Sample.MACHINE).lines().map(line -> line.replaceAll(" +", " ")).toList();
        for (String line : List.of("no proof: a wrong bit in it - - - 2000 -", "half-open links - - - - 2.20 -",
            "10 ms / p99, no proof: a wrong bit in it 5.00 at least 1.0: met",
            "1.1 / p99 x, half-open links 0.50 at least 1.0: MISSED", "control / p99 x, half-open links 0.50")) {
            assertTrue(lines.contains(line), lines::toString);
        }
    }

    @Test
    void json_threeAttacks_hasFiguresAndBars() throws IOException {
        Map<String, Object> document = JSON.std.mapFrom(figures().json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "rounds", "rate", "figures", "ratios", "bars",
            "failures"), List.copyOf(document.keySet()));
        assertEquals(3, ((List<?>) document.get("bars")).size());
    }
}
