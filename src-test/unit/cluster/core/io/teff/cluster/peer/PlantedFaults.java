package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import java.util.function.LongFunction;
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
        assertFound(mix, seed -> new ClusterSimulation(seed, mix, fault.get(), parts, "a planted fault"), reasons);
    }

    /** The same for runs with real networks, without which {@link MessagingSimulationTest} passes. */
    static void assertFoundWithNetworks(Mix mix, Supplier<Plant> fault, String... reasons) {
        assertFound(mix, seed -> ClusterSimulation.withNetworks(seed, mix, fault.get()), reasons);
    }

    private static void assertFound(Mix mix, LongFunction<ClusterSimulation> runs, String... reasons) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String found = failure(runs.apply(seed));
            if (found != null) {
                assertTrue(found.startsWith("reproduce: "), found);
                String reason = found.lines().skip(1).findFirst().orElse("");
                assertTrue(List.of(reasons).stream().anyMatch(reason::contains), found);
                assertEquals(found, failure(runs.apply(seed)), "the seed repeats the failure");
                System.out.println("planted fault found by seed " + seed + " of " + mix + ": " + reason);
                return;
            }
        }
        fail(SEEDS + " seeds were all right");
    }

    private static @Nullable String failure(ClusterSimulation run) {
        try {
            run.run();
            return null;
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }
}
