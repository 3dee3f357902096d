package io.teff.test.cluster.kills;

import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a cluster goes through all faults that it must survive, one after the other. No acknowledged change is lost,
 * each change is made exactly once, no call fails, the operations on each chunk are linearizable, no row of the
 * metadata goes back, no peer loses its life that was not killed, and what is on lost disks is named.
 *
 * <p>Method: one cluster as {@code ./teff cluster up} makes it, of three superpeers with small disks in memory and four
 * peers; one load ({@link KillLoad}) during all steps ({@link FaultTour}), whose histories are judged at the end. No
 * time is judged. Classes of the tier full repeat the faults, and judge growth and the longest call: {@link
 * ClusterKillTest}, {@link SuperpeerKillTest}, {@link SuperpeerDiskTest}, {@link ColdStartProcessTest}.
 *
 * <p>{@link KillPlantsTest} shows that planted faults make the tour fail.
 */
@Tag("processes")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class FaultTourTest {
    @Test
    void cluster_underOneFaultAfterTheOther_losesNothing_andNoCallFails() throws IOException, InterruptedException {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(FaultTourTest.class, seed);
        System.out.println(reproduce);
        FaultTour.run(KillOutcome.newFolder(), seed, null).judge(reproduce);
    }
}
