package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: whatever happens to messages, processes and disks, no two members differ, nothing acknowledged is lost, and the
 * cell goes on once the trouble ends. Method: the real algorithm, filter and journal in virtual time, by seed; planted
 * faults are found at the seeds that found them first.
 */
class RaftSearchTest {
    private static final int RUNS = Form.size(30, 300, 5_000);

    @Test
    void cell_inTrouble_losesNothing_andGoesOn() {
        long seed = Seed.first();
        long acknowledged = 0;
        int removals = 0;
        for (int run = 0; run < RUNS; run++) {
            RaftWorld world = RaftSearch.run(seed + run, RaftPlant.NONE);
            acknowledged += world.acknowledged();
            removals += world.removals();
        }
        assertTrue(acknowledged > RUNS * 200L && removals > RUNS / 4, acknowledged + " " + removals);
    }

    @ParameterizedTest
    @CsvSource({"VOTE_NOT_SYNCED, 5", "ANSWER_BEFORE_THE_SYNC, 2", "SNAPSHOT_NOT_COMPARED, 86", "PRE_VOTE_STAYS, 15",
        "LATER_TERM_IGNORED, 195",
        "SNAPSHOT_MISSES_A_COMMAND, 2", "STALE_LEADER_ANSWERS, 1"})
    void plantedFault_isFound(RaftPlant plant, long seed) {
        assertThrows(AssertionError.class, () -> RaftSearch.run(seed, plant));
    }
}
