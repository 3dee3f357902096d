package io.teff.cluster.peer;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.ZoneRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of the unloading of peers, which the rules of the simulation find: see {@link PlantedClusterFaultsTest}. */
@Tag("heavy")
class PlantedUnloadFaultsTest {

    @Test
    void aNewBackup_inPlaceOfAnUnloadedOne_countsBeforeItHasEverything() {
        PlantedFaults.assertFound(1, Mix.UNLOADS, () -> new Plant() {
            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                if (command instanceof Command.AddBackup added) {
                    ZoneRow row = machine.zone(added.zone());
                    if (row != null && row.state().isServed()) {
                        for (Backup learner : row.learners()) {
                            machine.apply(new Command.Learned(row.zone(), row.epoch(), learner.node()));
                        }
                    }
                }
                return machine;
            }
        }, "not linearizable", "has {", "gets", "two changes", "cannot be read", "not in order");
    }
}
