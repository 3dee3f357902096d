package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the kills, the tour and the storms find faults. Method: a fault is planted into all processes, and nodes
 * are killed until the fault is found.
 */
@Tag("processes")
@LongTier("some kills for each plant; the plants change nothing in the tests that the gate runs")
@Timeout(value = 120, unit = TimeUnit.MINUTES)
final class KillPlantsTest {
    private static final int KILLS = 20;
    private static final int STORM_S = 120;

    @ParameterizedTest
    @EnumSource(KillPlant.class)
    void plantedFault_isFound(KillPlant plant) throws IOException, InterruptedException {
        check(plant, ClusterKillRun.run(KillOutcome.newFolder(), 1, KILLS, plant));
    }

    @ParameterizedTest
    @EnumSource(KillPlant.class)
    void plantedFault_isFoundByTheTour(KillPlant plant) throws IOException, InterruptedException {
        check(plant, FaultTour.run(KillOutcome.newFolder(), 1, plant));
    }

    @ParameterizedTest
    @EnumSource(KillPlant.class)
    void plantedFault_isFoundByAStorm(KillPlant plant) throws IOException, InterruptedException {
        check(plant, KillStorm.run(KillOutcome.newFolder(), 2, STORM_S, plant));
    }

    private static void check(KillPlant plant, KillOutcome outcome) {
        System.out.println(plant + ": " + outcome.text());
        assertFalse(outcome.faults().isEmpty(), plant::toString);
        assertTrue(outcome.hasWrongContent(), () -> plant + ": " + outcome.faults());
        System.out.println(plant + " is found: " + outcome.faults().getFirst());
    }
}
