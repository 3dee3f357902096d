package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens to messages and backups, no answer leaves before all backups of the row have the change, and
 * all answers leave at last. Method: the real ring, shipper and backups, a network that loses, doubles, damages and
 * reorders, and virtual time.
 */
class ShippingSimulationTest {
    private static final int RUNS = Form.size(100, 400, 5_000);

    @Test
    void shipping_overABadNetwork_losesNothing_andAcknowledgesNothingTooEarly() {
        long seed = Seed.first();
        long answers = 0;
        long lost = 0;
        long replaced = 0;
        long damaged = 0;
        for (int run = 0; run < RUNS; run++) {
            ShippingSimulation simulation = new ShippingSimulation(seed + run);
            simulation.run();
            answers += simulation.served();
            lost += simulation.lostMessages();
            replaced += simulation.replacedBackups();
            damaged += simulation.damagedMessages();
        }
        assertTrue(answers > RUNS * 20L && lost > RUNS && replaced > RUNS / 20 && damaged > RUNS,
            answers + " " + lost + " " + replaced + " " + damaged);
    }
}
