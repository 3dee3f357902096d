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
 * Goal: peers and superpeers are killed by SIGKILL one after the other, and no acknowledged change is lost, each change
 * is made exactly once, no call fails, and the operations on each chunk are linearizable; and the cluster does not
 * grow: not its threads, descriptors, memory and files.
 *
 * <p>Method: a cluster of processes as {@code ./teff cluster up} makes it, clients that put, get, compare-and-set,
 * increment, create and remove chunks all the time, and a history of each chunk. {@code -Dteff.cluster.kills=90
 * -Dteff.cluster.kills.pace=20} kills 90 times with at least 20 s between, which takes half an hour. No time is judged.
 */
@Tag("processes")
@FullTier("200 s for eight kills; FaultTourTest kills peers and superpeers, without growth and the longest call")
@Timeout(value = 120, unit = TimeUnit.MINUTES)
final class ClusterKillTest {
    private static final int KILLS = Form.size("teff.cluster.kills", 8, 50);

    @Test
    void nodes_killedOneAfterTheOther_loseNothing_andNoCallFails() throws IOException, InterruptedException {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(ClusterKillTest.class, seed, "-Dteff.cluster.kills=" + KILLS);
        System.out.println(reproduce);
        ClusterKillRun.run(KillOutcome.newFolder(), seed, KILLS, null).judge(reproduce);
    }
}
