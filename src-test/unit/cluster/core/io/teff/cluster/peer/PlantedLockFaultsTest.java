package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.slot.LockTable;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;
import io.teff.engine.journal.Journal;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ZoneChanges;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Goal: the oracles of the simulation of a cluster find faults of locks, groups of changes, power cuts and cold starts.
 * Method: that of {@link PlantedClusterFaultsTest}.
 */
class PlantedLockFaultsTest {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    private static final int LEASE_AT = 40;
    private static final int RESULT_AT = 8;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** A log that is changed when it is made. */
    private static Plant log(Consumer<MemoryCopyLog> change) {
        return new Plant() {
            @Override
            MemoryCopyLog log(MemoryCopyLog its) {
                change.accept(its);
                return its;
            }
        };
    }

    private static byte[] with(byte[] message, int at, UnaryOperator<Long> change) {
        byte[] changed = message.clone();
        MemorySegment memory = MemorySegment.ofArray(changed);
        memory.set(LONG, at, change.apply(memory.get(LONG, at)));
        return changed;
    }

    private static long result(byte[] answer) {
        return MemorySegment.ofArray(answer).get(LONG, RESULT_AT);
    }

    // ---- locks ----

    @Test
    void aLock_endsBeforeItsLease() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> new Plant() {
            @Override
            byte[] requested(byte[] request) {
                OperationType type = OperationCalls.type(request);
                return type == OperationType.LOCK || type == OperationType.SWAP_LOCK
                    ? with(request, LEASE_AT, lease -> lease / 2) : request;
            }
        }, "before its lease", "two locks", "excluded nothing");
    }

    @Test
    void aLease_isNotRenewed() {
        PlantedFaults.assertFound(10, Mix.LOCKS, () -> new Plant() {
            @Override
            byte[] answered(byte[] request, byte[] answer) {
                return OperationCalls.type(request) == OperationType.RENEW_LOCK && answer[0] == 0
                    ? with(answer, RESULT_AT, _ -> (long) Status.OK) : answer;
            }
        }, "before its lease", "two locks", "excluded nothing");
    }

    /** The locks of a zone that is served are changed before the first operation. */
    private static Plant restored(Consumer<LockTable> change) {
        return new Plant() {
            @Override
            void served(SimPeer peer, int zone) {
                SlotTable slots = Objects.requireNonNull(peer.core()).slots(zone);
                change.accept(Objects.requireNonNull(slots).locks());
            }
        };
    }

    @Test
    void aRestoredLock_hasNoLease() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> restored(locks -> locks.begin(-HOUR_NS)), "before its lease",
            "two locks", "excluded nothing");
    }

    @Test
    void aRestoredLock_hasNoEnd() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> restored(locks -> locks.begin(HOUR_NS)), "locks of clients");
    }

    @Test
    void aRestoredLock_isNotTakenInTheStore() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> new Plant() {
            @Override
            void served(SimPeer peer, int zone) {
                Objects.requireNonNull(peer.memory()).forgetLocks(zone);
            }
        }, "two locks", "excluded nothing");
    }

    @Test
    void aNewOwner_doesNotKnowTheLocksOfTheOldOne() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> log(MemoryCopyLog::forgetLocks), "before its lease", "two locks",
            "excluded nothing");
    }

    /** The end of a lock is not in the log, so that it is there beside the next one. */
    @Test
    void aNewOwner_doesNotKnowThatALockWasReleased() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> log(MemoryCopyLog::keepLocks), "lock ");
    }

    @Test
    void aToken_doesNotRiseAfterAFailure() {
        PlantedFaults.assertFound(5, Mix.LOCKS, () -> new Plant() {
            @Override
            ZoneHost host(SimPeer peer, ZoneHost its) {
                ShipRing ring = Objects.requireNonNull(peer.core()).ring();
                SlotLog log = early(ring);
                return new PlantedHost(its) {
                    @Override
                    public SlotLog slotLog() {
                        return log;
                    }

                    @Override
                    public RecordedZone recorded(int zone, ChunkStore store) {
                        RecordedZone real = its.recorded(zone, store);
                        return new RecordedZone(store, real.changes(), early(ring.recordedBy(real.writer())),
                            real.writer());
                    }
                };
            }

            private SlotLog early(Journal journal) {
                return new SlotLog((Journal) Proxy.newProxyInstance(getClass().getClassLoader(),
                    new Class<?>[] {Journal.class}, (_, method, it) -> method.getName().equals("now") ? 1L
                        : method.invoke(journal, it)));
            }
        }, "does not rise");
    }

    /** Each operation that presents a token is executed as that of the holder, whoever that is now. */
    @Test
    void anOwner_doesNotCheckTheTokenOfALock() {
        PlantedFaults.assertFound(1, Mix.LOCKS, () -> new Plant() {
            private final Map<Long, Long> newest = new HashMap<>();

            @Override
            byte[] requested(byte[] request) {
                return OperationCalls.type(request) == OperationType.GROUP ? request
                    : OperationCalls.withToken(request, token ->
                        newest.getOrDefault(OperationCalls.cid(request), token));
            }

            @Override
            byte[] answered(byte[] request, byte[] answer) {
                OperationType type = OperationCalls.type(request);
                if ((type == OperationType.LOCK || type == OperationType.SWAP_LOCK) && answer[0] == 0
                    && !Status.isStatus(result(answer))) {
                    newest.put(OperationCalls.cid(request), result(answer));
                }
                return answer;
            }
        }, "an old token", "excluded nothing");
    }

    // ---- groups ----

    /** The record of a group is its last one, and is read in part. */
    @Test
    void aGroup_isAppliedInPartByTheNextOwner() {
        PlantedFaults.assertFound(4, Mix.GROUPS, () -> log(MemoryCopyLog::forgetSecondEntries), "not linearizable",
            "has {");
    }

    @Test
    void aGroup_isMadeAlthoughAConditionDoesNotHold() {
        PlantedFaults.assertFound(2, Mix.GROUPS, () -> new Plant() {
            @Override
            ZoneHost host(SimPeer peer, ZoneHost its) {
                return new PlantedHost(its) {
                    @Override
                    public RecordedZone recorded(int zone, ChunkStore store) {
                        RecordedZone real = its.recorded(zone, store);
                        return new RecordedZone(store, new ZoneChanges() {
                            @Override
                            public ChunkStore store() {
                                return real.store();
                            }

                            @Override
                            public int change(List<ChunkChange> changes) {
                                return real.changes().change(careless(changes));
                            }
                        }, real.log(), real.writer());
                    }
                };
            }

            private static List<ChunkChange> careless(List<?> changes) {
                return changes.stream().map(ChunkChange.class::cast).map(it -> it.condition()
                    != ChunkChange.Condition.EQUAL ? it : new ChunkChange(it.cid(), ChunkChange.Condition.PRESENT, null,
                    it.change(), it.content())).toList();
            }
        }, "not linearizable");
    }

    // ---- power cuts ----

    @Test
    void aBackup_saysThatItsDiskHasAChange_withoutASync() {
        PlantedFaults.assertFound(1, Mix.POWER_CUTS, () -> log(MemoryCopyLog::neverSync), "a synced change is lost",
            "not linearizable");
    }

    // ---- cold starts ----

    /** A backup goes on with the copy of an earlier life, which no row names. */
    @Test
    void aBackup_adoptsACopyThatNoRowNames() {
        PlantedFaults.assertFound(1, Mix.REFILLS, () -> log(MemoryCopyLog::adoptEarlierCopies), "gets",
            "not linearizable");
    }

    /** Changes are answered when the backups that live have them, and the row still keeps a copy that lacks them. */
    @Test
    void anOwner_answersWithoutDoingWithoutKeptCopies() {
        PlantedFaults.assertFound(4, Mix.COLD_STARTS, Impatient::new, "not linearizable", "has {", "gets", "before its",
            "two locks", "excluded nothing", "does not rise");
    }

    private static final class Impatient extends Plant {
        private final List<Waiting> waiting = new ArrayList<>();

        private record Waiting(PeerCore core, SimPeer peer, int zone, long counter, Consumer<ZoneHost.Verdict> then) {
            /** Returns whether the backups of the newest row have the change. */
            boolean isLogged() {
                ZoneRow row = core.tables().zone(zone);
                return row != null && row.isOwnedBy(core.node()) && row.receivers().stream().allMatch(this::hasIt);
            }

            private boolean hasIt(Backup backup) {
                return peer.world.node(backup.node().nid()) instanceof SimPeer other
                    && ZoneNumber.counter(other.log().logged(new ZoneCopy(zone, backup.copy()))) >= counter;
            }
        }

        @Override
        ZoneHost host(SimPeer peer, ZoneHost its) {
            PeerCore core = Objects.requireNonNull(peer.core());
            return new PlantedHost(its) {
                private boolean hasKept(int zone) {
                    ZoneRow row = core.tables().zone(zone);
                    return row != null && !row.kept().isEmpty() && !row.backups().isEmpty();
                }

                @Override
                public void afterRead(int zone, long cid, Consumer<Verdict> then) {
                    if (hasKept(zone)) {
                        waiting.add(new Waiting(core, peer, zone, core.ring().changeOf(cid), then));
                    } else {
                        its.afterRead(zone, cid, then);
                    }
                }

                @Override
                public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
                    if (hasKept(zone)) {
                        waiting.add(new Waiting(core, peer, zone, ZoneNumber.counter(core.ring().now(zone)), then));
                    } else {
                        its.afterChange(zone, number, level, then);
                    }
                }
            };
        }

        @Override
        void cycled(PeerCore core) {
            List<Waiting> due = waiting.stream().filter(it -> it.core == core && it.isLogged()).toList();
            waiting.removeAll(due);
            due.forEach(it -> it.then.accept(ZoneHost.Verdict.SERVED));
        }
    }
}
