package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one history with a planted fault after the other until one fails; the failure is one of those that the fault can
 * have, and comes again with the seed. Without a fault all of these histories pass: that is {@link
 * ClusterSimulationTest}.
 */
final class PlantedFaults {
    private static final int SEEDS = 400;

    private PlantedFaults() {}

    static void assertFound(Supplier<Plant> fault, String... reasons) {
        assertFound(Mix.DRAWN, fault, reasons);
    }

    static void assertFound(Mix mix, Supplier<Plant> fault, String... reasons) {
        assertFound(mix, SimParts.MODELS, fault, reasons);
    }

    static void assertFound(Mix mix, SimParts parts, Supplier<Plant> fault, String... reasons) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String found = failure(seed, mix, parts, fault);
            if (found != null) {
                assertTrue(found.startsWith("reproduce: "), found);
                String reason = found.lines().skip(1).findFirst().orElse("");
                assertTrue(List.of(reasons).stream().anyMatch(reason::contains), found);
                assertEquals(found, failure(seed, mix, parts, fault), "the seed repeats the failure");
                System.out.println("planted fault found by seed " + seed + " of " + mix + ": " + reason);
                return;
            }
        }
        fail(SEEDS + " seeds were all right");
    }

    private static @Nullable String failure(long seed, Mix mix, SimParts parts, Supplier<Plant> fault) {
        try {
            new ClusterSimulation(seed, mix, fault.get(), parts, "a planted fault").run();
            return null;
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }
}
