package io.teff.cluster.peer;

import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawStep;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ZoneChanges;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the whole simulation finds faults of the real parts. Method: that of {@link PlantedClusterFaultsTest}; here the
 * faults are in the journal of a store, the log, and the disk below it.
 */
@Tag("heavy")
class PlantedWholeFaultsTest {
    private static void assertFound(long seed, Mix mix, Supplier<Plant> fault, String... reasons) {
        PlantedFaults.assertFound(seed, mix, new RealParts(new RealDisk.Counts()), fault, reasons);
    }

    // ---- the store ----

    @Test
    void aRemoval_isNotWrittenToTheJournal() {
        assertFound(1, Mix.WHOLE, () -> new Plant() {
            @Override
            Journal journal(Journal its) {
                return new StoppingJournal(its, () -> { }) {
                    @Override
                    public long entry(long record, long after, long cid, int kind, int length, long number) {
                        long of = kind == Journal.REMOVED && !SlotLayout.isSlot(cid)
                            ? Cid.of(Cid.nid(cid), RealStore.UNUSED_INDEX) : cid;
                        return super.entry(record, after, of, kind, length, number);
                    }
                };
            }
        }, "has {", "a synced change is lost", "not linearizable");
    }

    // ---- maps ----

    private static void assertFoundByMaps(long seed, Supplier<Plant> fault, String... reasons) {
        PlantedFaults.assertFound(seed, Mix.MAPS, new RealParts(new RealDisk.Counts(), true), fault, reasons);
    }

    private static Plant host(UnaryOperator<ZoneHost> wrapped) {
        return new Plant() {
            @Override
            ZoneHost host(SimPeer peer, ZoneHost its) {
                return wrapped.apply(its);
            }
        };
    }

    @Test
    void aResult_ofAChangeOfAMap_isNotKept() {
        assertFoundByMaps(1, () -> host(its -> new PlantedHost(its) {
            @Override
            public SlotTable slots(int zone) {
                return its.slots(zone) == null ? null : new SlotTable(zone, _ -> false);
            }
        }), "not linearizable", "not a queue");
    }

    @Test
    void aRead_ofAMap_doesNotWaitForTheChangeThatItHasSeen() {
        assertFoundByMaps(71, () -> host(its -> new PlantedHost(its) {
            @Override
            public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
                its.afterOwnerRead(zone, then);
            }
        }), "not linearizable");
    }

    @Test
    void aRead_ofASortedMap_doesNotWaitForTheChangeThatItHasSeen() {
        assertFoundByMaps(187, () -> host(its -> new PlantedHost(its) {
            @Override
            public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
                its.afterOwnerRead(zone, then);
            }
        }), "not linearizable");
    }

    /** The record of a poll or of another change of a queue or sorted map has no result. */
    @Test
    void aResult_ofAPoll_isNotInTheRecord() {
        assertFoundByMaps(1, () -> host(its -> new PlantedHost(its) {
            @Override
            public RecordedZone recorded(int zone, ChunkStore store) {
                RecordedZone real = its.recorded(zone, store);
                return new RecordedZone(real.of(), new ZoneChanges() {
                    @Override
                    public ChunkStore store() {
                        return real.changes().store();
                    }

                    @Override
                    public int change(List<ChunkChange> changes) {
                        return real.changes().change(changes);
                    }

                    @Override
                    public void change(RawMap map, byte[] key, RawChange change) {
                        real.changes().change(map, key, change);
                    }

                    @Override
                    public void change(RawCollection collection, RawStep change) {
                        real.changes().change(collection, new WithoutResult(change));
                    }
                }, real.log(), real.writer());
            }
        }), "not a queue", "not linearizable");
    }

    /** A change that does not put its result into the record. */
    private record WithoutResult(RawStep its) implements RawStep {
        @Override
        public boolean mayAdd() {
            return its.mayAdd();
        }

        @Override
        public boolean run() {
            return its.run();
        }

        @Override
        public void changed() {
            // no result
        }

        @Override
        public void recorded() {
            its.recorded();
        }
    }

    /** A chunk of its own for a long entry is not in the record of the change. */
    @Test
    void aRecord_ofAChangeOfAMap_lacksAChunk() {
        assertFoundByMaps(7, () -> new Plant() {
            @Override
            Journal journal(Journal its) {
                return new StoppingJournal(its, () -> { }) {
                    @Override
                    public long entry(long record, long after, long cid, int kind, int length, long number) {
                        boolean isLost = kind == Journal.PUT && length == SimOperation.MAP_BYTES_MAX + 2;
                        return super.entry(record, after, isLost ? Cid.of(Cid.nid(cid), RealStore.UNUSED_INDEX) : cid,
                            kind, length, number);
                    }
                };
            }
        }, "code 4", "does not exist", "is gone", "is not the entry", "has {");
    }

    // ---- watched maps ----

    private static void assertFoundByWatches(long seed, Supplier<Plant> fault, String... reasons) {
        PlantedFaults.assertFound(seed, Mix.WATCHES, new RealParts(new RealDisk.Counts(), true), fault, reasons);
    }

    /** A watcher sees an event that is lost with its owner; the next owner gives the number to another event. */
    @Test
    void anEvent_isShownBeforeAllBackupsHaveItsChange() {
        assertFoundByWatches(3, () -> host(its -> new PlantedHost(its) {
            @Override
            public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
                its.afterOwnerRead(zone, then);
            }
        }), "two events have the number", "has a gap", "has seen");
    }

    /** The record of a change lacks its event, so that watchers skip the event at the next owner. */
    @Test
    void anEvent_isNotInTheRecordOfItsChange() {
        assertFoundByWatches(2, () -> new Plant() {
            @Override
            Journal journal(Journal its) {
                return new StoppingJournal(its, () -> { }) {
                    @Override
                    public long entry(long record, long after, long cid, int kind, int length, long number) {
                        boolean isLost = kind == Journal.PUT
                            && length == ChangeEvent.HEAD_BYTES + 1 + SimOperation.MAP_BYTES_MAX;
                        return super.entry(record, after, isLost ? Cid.of(Cid.nid(cid), RealStore.UNUSED_INDEX) : cid,
                            kind, length, number);
                    }
                };
            }
        }, "two events have the number", "has a gap", "has seen", "gets event", "does not exist", "has an answer");
    }

    // ---- the log ----

    @Test
    void aLog_saysThatTheDiskHasAChange_withoutASync() {
        assertFound(62, Mix.WHOLE_POWER_CUTS, () -> new Plant() {
            @Override
            CopyLog copyLog(SimPeer peer, CopyLog its) {
                return new ObservedLog(its, (_, _, _, _) -> { }, () -> false, () -> { }) {
                    @Override
                    public long synced(ZoneCopy copy) {
                        return its.logged(copy);
                    }

                    @Override
                    public void whenSynced(ZoneCopy copy, long number,
                                           Consumer<@Nullable RuntimeException> then) {
                        then.accept(null);
                    }
                };
            }
        }, "a synced change is lost", "not linearizable");
    }

    @Test
    void aBackup_ofRealParts_takesRunsOfAnOldEpoch() {
        assertFound(17, Mix.DEPOSED, () -> new Plant() {
            @Override
            byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
                return isRun ? SimRuns.map(message, run -> run.withEpoch(ZoneRow.EPOCH_MAX)) : message;
            }
        }, "not linearizable", "has {", "gets", "two changes");
    }

    // ---- the disk ----

    private static Plant disk(PlantedDisk.Fault ofDisk, PlantedDisk.Fault ofFiles) {
        return new Plant() {
            @Override
            Disk disk(Disk its) {
                return PlantedDisk.of(its, ofDisk, ofFiles);
            }
        };
    }

    @Test
    void aSync_ofAFile_doesNothing() {
        assertFound(1, Mix.WHOLE_POWER_CUTS, () -> disk((_, _, _) -> null,
            (_, method, _) -> method.equals("force") ? PlantedDisk.NOTHING : null), "a synced change is lost",
            "not linearizable", "is lost", "cannot open its log", "has {");
    }

    /** What is stored to mapped memory is lost with the process, as if a log wrote to memory of its own. */
    @Test
    void theEndOfAProcess_takesTheWriteBufferWithIt() {
        assertFound(2, Mix.COLD_STARTS, () -> disk((_, _, _) -> null, (its, method, arguments) -> {
            if (!method.equals("map")) {
                return null;
            }
            long bytes = (long) arguments[0];
            MemorySegment mapped = ((DiskFile) its).map(bytes, Arena.ofAuto());
            return Arena.ofAuto().allocate(bytes, 4096).copyFrom(mapped);
        }), "not linearizable", "has {", "is lost", "cannot open its log", "gets");
    }
}
