package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs histories with a planted fault until one fails; the failure is one of those that the fault can have. Without a
 * fault all of these histories pass: that is {@link ClusterSimulationTest}.
 *
 * <p>A seed that has found the fault is recorded beside each plant, and the gate runs that one alone. The full form
 * searches from seed 1, repeats the seed that it finds, and checks the recorded one, too. A change of the product can
 * change all histories: then a recorded seed may find nothing, and the full form prints another one.
 */
final class PlantedFaults {
    private static final int SEEDS = 400;

    private PlantedFaults() {}

    static void assertFound(long recorded, Supplier<Plant> fault, String... reasons) {
        assertFound(recorded, Mix.DRAWN, fault, reasons);
    }

    static void assertFound(long recorded, Mix mix, Supplier<Plant> fault, String... reasons) {
        assertFound(recorded, mix, SimParts.MODELS, fault, reasons);
    }

    static void assertFound(long recorded, Mix mix, SimParts parts, Supplier<Plant> fault, String... reasons) {
        assertFound(recorded, mix, seed -> new ClusterSimulation(seed, mix, fault.get(), parts, "a planted fault"),
            reasons);
    }

    /** The same for runs with real networks, without which {@link MessagingSimulationTest} passes. */
    static void assertFoundWithNetworks(long recorded, Mix mix, Supplier<Plant> fault, String... reasons) {
        assertFound(recorded, mix, seed -> ClusterSimulation.withNetworks(seed, mix, fault.get()), reasons);
    }

    private static void assertFound(long recorded, Mix mix, LongFunction<ClusterSimulation> runs, String... reasons) {
        if (!Form.isFull()) {
            assertTrue(found(recorded, mix, runs.apply(recorded), reasons) != null, "seed " + recorded + " of " + mix
                + " finds this fault no more: -Dteff.full=true, as in ./teff test --full, searches from seed 1; record"
                + " the seed that it finds beside the plant");
            return;
        }
        long first = 1;
        String found = found(first, mix, runs.apply(first), reasons);
        while (found == null) {
            assertTrue(++first <= SEEDS, SEEDS + " seeds were all right");
            found = found(first, mix, runs.apply(first), reasons);
        }
        assertEquals(found, failure(runs.apply(first)), "the seed repeats the failure");
        assertTrue(recorded == first || found(recorded, mix, runs.apply(recorded), reasons) != null,
            "the recorded seed " + recorded + " of " + mix + " finds this fault no more: record seed " + first);
    }

    /** Runs one history; returns the failure, null if the history is right. The fault may have these reasons alone. */
    private static @Nullable String found(long seed, Mix mix, ClusterSimulation run, String... reasons) {
        String found = failure(run);
        if (found != null) {
            assertTrue(found.startsWith("reproduce: "), found);
            String reason = found.lines().skip(1).findFirst().orElse("");
            assertTrue(List.of(reasons).stream().anyMatch(reason::contains), found);
            System.out.println("planted fault found by seed " + seed + " of " + mix + ": " + reason);
        }
        return found;
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
