package io.teff.cluster.zone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Searches every order of events of a small cluster: one zone, three peers, writes, reads and failures. */
@Tag("heavy")
class ZoneProtocolSearchTest {

    @FullTier("seconds of a processor; everyOrderOfEvents_aMoveAndACrash_losesNothing has a crash")
    @Test
    void everyOrderOfEvents_twoWritesAndACrash_losesNothing() {
        search(new ZoneModel.Bounds(2, 1, 0, 0, 2));
    }

    @FullTier("seconds of a processor; ClusterSimulationTest has lost leases")
    @Test
    void everyOrderOfEvents_aLostLease_losesNothing() {
        search(new ZoneModel.Bounds(2, 0, 1, 0, Form.size(1, 2)));
    }

    @FullTier("seconds of a processor; everyOrderOfEvents_aBackupThatFailsDuringARecovery_losesNothing has such a "
        + "backup")
    @Test
    void everyOrderOfEvents_aBackupThatFails_losesNothing() {
        search(new ZoneModel.Bounds(2, 0, 0, 1, 3));
    }

    @FullTier("10 s of a processor; ClusterSimulationTest has lost leases and crashes (Mix.DEPOSED)")
    @Test
    void everyOrderOfEvents_aLostLeaseAndACrash_losesNothing() {
        search(new ZoneModel.Bounds(1, 1, 1, 0, Form.size(1, 2)));
    }

    @FullTier("seconds of a processor; ClusterSimulationTest has learners (Mix.REFILLS)")
    @Test
    void everyOrderOfEvents_aLearnerInPlaceOfABackup_losesNothing() {
        search(new ZoneModel.Bounds(1, Form.size(0, 1), 0, 1, 2, 1, 0));
    }

    /** A restoring owner goes on without a backup that does not catch up, even the last backup. */
    @Test
    void everyOrderOfEvents_aBackupThatFailsDuringARecovery_losesNothing() {
        search(new ZoneModel.Bounds(Form.size(1, 2), 1, 0, 1, Form.size(2, 3)));
    }

    @FullTier("seconds of a processor; ClusterSimulationTest has such owners (Mix.HINDRANCES)")
    @Test
    void everyOrderOfEvents_anOwnerThatCannotRestore_losesNothing() {
        search(new ZoneModel.Bounds(Form.size(1, 2), 1, 0, 0, 2, 0, 2));
    }

    @FullTier("seconds of a processor; everyOrderOfEvents_aBackupThatFailsDuringARecovery_losesNothing has such a "
        + "backup")
    @Test
    void everyOrderOfEvents_anOwnerThatCannotRestoreAndABackupThatFails_losesNothing() {
        search(new ZoneModel.Bounds(1, 1, 0, 1, 2, 0, Form.size(1, 2)));
    }

    /** The zone moves from an owner that lives, while changes are under way, to a backup that may die. */
    @Test
    void everyOrderOfEvents_aMoveAndACrash_losesNothing() {
        search(new ZoneModel.Bounds(1, 1, 0, 0, Form.size(1, 2), 0, 0, 1));
    }

    @FullTier("a minute of a processor; everyOrderOfEvents_aMoveAndACrash_losesNothing has a move")
    @Test
    void everyOrderOfEvents_aMoveAndALostLease_losesNothing() {
        search(new ZoneModel.Bounds(1, 0, 1, 0, Form.size(1, 2), 0, 0, 1));
    }

    /** The heir is made a backup first. */
    @FullTier("a minute of a processor; everyOrderOfEvents_aMoveAndACrash_losesNothing has a move")
    @Test
    void everyOrderOfEvents_aMoveToANewBackup_losesNothing() {
        search(new ZoneModel.Bounds(1, 0, 0, 1, Form.size(1, 2), 0, 0, 1));
    }

    /** A person unloads the owner, its only backup or the third peer; the zone moves, or gets another backup. */
    @FullTier("a minute of a processor; everyOrderOfEvents_aMoveAndACrash_losesNothing has a move")
    @Test
    void everyOrderOfEvents_anUnloadedPeer_losesNothing() {
        search(ZoneModel.Bounds.unload(1, 1, 1, 1, 0));
        search(ZoneModel.Bounds.unload(1, 0, 2, 1, 0));
        search(ZoneModel.Bounds.unload(1, 0, 1, 1, 1));
        if (Form.isLong()) {
            search(ZoneModel.Bounds.unload(1, 1, 1, 0, 1));     // 3.5 million states, minutes
        }
    }

    /** Processes end, in any order, and what their disks have comes back in any order. */
    @FullTier("13 s of a processor; ClusterSimulationTest ends and starts processes (Mix.COLD_STARTS)")
    @Test
    void everyOrderOfEvents_endsAndStartsOfProcesses_losesNothing() {
        search(ZoneModel.Bounds.coldStart(2, 1, 2, 0, Form.size(1, 2)));
    }

    /** The owner and the only backup end, and come back, also twice. */
    @FullTier("seconds of a processor; ClusterSimulationTest ends and starts processes")
    @Test
    void everyOrderOfEvents_theEndAndTheStartOfTheOnlyBackup_losesNothing() {
        search(ZoneModel.Bounds.coldStart(1, 1, 3, 0, 3));
    }

    private static void search(ZoneModel.Bounds bounds) {
        ZoneSearch search = new ZoneSearch(bounds);
        search.run();
        System.out.println(bounds + ": " + search.states() + " states, " + search.ends() + " ends");
        assertTrue(search.states() > 1_000, "the search is too small to show anything");
        assertEquals(0, search.stuck(), "states in which a living zone never serves again");
    }
}
