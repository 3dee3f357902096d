package io.teff.test.cluster.kills;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: nodes are killed in a row, faster than they start, and nothing acknowledged is lost: no zone, no change, and
 * each change is made exactly once. Method: {@link KillStorm}; odd seeds have no supervisor. {@code
 * -Dteff.cluster.storms=20 -Dteff.cluster.storm.seconds=300} has twenty storms of five minutes.
 */
@Tag("processes")
@FullTier("4 minutes; ClusterSimulationTest has such storms (Mix.STORMS) in each tier")
@Timeout(value = 240, unit = TimeUnit.MINUTES)
final class KillStormTest {
    private static final int STORMS = Form.size("teff.cluster.storms", 2, 20);
    private static final int SECONDS = Form.size("teff.cluster.storm.seconds", 60, 300);

    @Test
    void nodes_killedFasterThanTheyStart_loseNothing() throws IOException, InterruptedException {
        long first = Seed.first();
        for (long seed = first; seed < first + STORMS; seed++) {
            String reproduce = Seed.reproduce(KillStormTest.class, seed, "-Dteff.cluster.storm.seconds=" + SECONDS);
            System.out.println(reproduce);
            KillStorm.run(KillOutcome.newFolder(), seed, SECONDS, null).judge(reproduce);
        }
    }
}
