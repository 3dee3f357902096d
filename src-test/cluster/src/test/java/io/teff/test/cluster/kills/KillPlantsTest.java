package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.cluster.kills.ClusterKillRun.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the kills find faults. Method: a fault is planted into all processes, and nodes are killed until it is found.
 */
@Tag("long")
@Timeout(value = 120, unit = TimeUnit.MINUTES)
final class KillPlantsTest {
    private static final int KILLS = 20;

    @ParameterizedTest
    @EnumSource(KillPlant.class)
    void plantedFault_isFound(KillPlant plant) throws IOException, InterruptedException {
        Path folder = ClusterKillRun.folder();
        Outcome outcome = ClusterKillRun.run(folder, 1, KILLS, plant);
        System.out.println(plant + ": " + outcome.text());
        assertFalse(outcome.faults().isEmpty(), plant::toString);
        assertTrue(outcome.faults().stream().anyMatch(fault -> fault.contains("not linearizable")
            || fault.contains("is lost") || fault.contains("not exactly once")
            || fault.contains("issued twice")), () -> plant + ": " + outcome.faults());
        System.out.println(plant + " is found: " + outcome.faults().getFirst());
    }
}
