package io.teff.cluster.peer;

import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.RunAnswer.Kind;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.ChunkStore;
import io.teff.recovery.backup.ZoneCopy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the oracles of the simulation of a cluster find the faults that they are made for. Method: each test plants one
 * fault into the code around the product, and {@link PlantedFaults} runs one history after the other until one fails. A
 * fault that needs rare circumstances names the {@link Mix} that makes them. Those of locks, groups and power cuts are
 * in {@link PlantedLockFaultsTest}.
 */
@Tag("heavy")
class PlantedClusterFaultsTest {
    // ---- backups ----

    @Test
    void aChangeIsAcknowledged_beforeItsBackupsHaveIt() {
        PlantedFaults.assertFound(1, () -> new Plant() {
            @Override
            byte[] sent(SimPeer from, int to, boolean isRun, byte[] message) {
                PeerCore core = from.core();
                if (isRun && core != null) {
                    SimRuns.read(message).stream().filter(run -> run.run().count() > 0).forEach(run ->
                        from.world.after(from, 0, () -> core.shipper().answered(new RunAnswer(Kind.ACKNOWLEDGED,
                            run.run().zone(), run.run().copy(), run.run().epoch(),
                            new NodeRef(to, run.backupIncarnation()), core.node().incarnation(), run.run().last(),
                            0))));
                }
                return message;
            }
        }, "not linearizable", "has {", "AssertionError");
    }

    @Test
    void aRefusalForLackOfRoom_countsAsAcknowledgement() {
        PlantedFaults.assertFound(111, () -> new TrustfulOwner(Kind.LATER), "not linearizable", "has {", "not in order",
            "cannot be read");
    }

    @Test
    void aBackup_takesRunsOfAnOldEpoch() {
        PlantedFaults.assertFound(125, Mix.DEPOSED, () -> new Plant() {
            @Override
            byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
                return isRun ? SimRuns.map(message, run -> run.withEpoch(ZoneRow.EPOCH_MAX)) : message;
            }
        }, "not linearizable", "has {", "gets", "two changes");
    }

    @Test
    void anOwner_takesTheRefusalOfItsEpoch_forAnAcknowledgement() {
        PlantedFaults.assertFound(15, () -> new TrustfulOwner(Kind.STALE), "not linearizable", "has {", "not in order");
    }

    /** An owner that takes an answer of some kind for an acknowledgement of all that it has sent. */
    private static final class TrustfulOwner extends Plant {
        private final Kind kind;
        private final Map<List<Integer>, Long> sent = new HashMap<>();

        TrustfulOwner(Kind kind) {
            this.kind = kind;
        }

        @Override
        byte[] sent(SimPeer from, int to, boolean isRun, byte[] message) {
            if (isRun) {
                SimRuns.read(message).stream().filter(run -> run.run().count() > 0).forEach(run ->
                    sent.merge(List.of(from.place, to, run.run().zone()), run.run().last(), Math::max));
            }
            return message;
        }

        @Override
        byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
            if (isRun) {
                return message;
            }
            return SimRuns.mapAnswers(message, from, answer -> {
                Long last = sent.get(List.of(to.place, from, answer.zone()));
                return answer.kind() != kind || last == null ? answer : new RunAnswer(Kind.ACKNOWLEDGED,
                    answer.zone(), answer.copy(), answer.epoch(), answer.backup(), answer.owner(), last, 0);
            });
        }
    }

    @Test
    void aBackup_doesNotNoticeAGap() {
        PlantedFaults.assertFound(1, () -> new Plant() {
            @Override
            MemoryCopyLog log(MemoryCopyLog its) {
                its.takeHoles();
                return its;
            }

            @Override
            byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
                return isRun ? SimRuns.map(message, run -> withoutGap(to, run)) : message;
            }
        }, "gets", "not linearizable", "has {");
    }

    private static SimRuns.Message withoutGap(SimPeer to, SimRuns.Message message) {
        Run run = message.run();
        long last = to.log().logged(new ZoneCopy(run.zone(), run.copy()));
        long missing = ZoneNumber.counter(run.first()) - ZoneNumber.counter(last) - 1;
        return run.count() == 0 || missing <= 0 ? message : message.withRun(new Run(run.zone(), run.copy(),
            run.epoch(), run.first() - missing, run.count() + (int) missing));
    }

    @Test
    void aRestartedBackup_countsAsCurrent() {
        PlantedFaults.assertFound(4, () -> new Plant() {
            @Override
            boolean isSameLife() {
                return true;
            }
        }, "not linearizable", "has {", "gets", "two changes", "not in order");
    }

    @Test
    void aGroup_isCutByTheShipper() {
        PlantedFaults.assertFound(1, () -> new Plant() {
            @Override
            byte[] sent(SimPeer from, int to, boolean isRun, byte[] message) {
                return isRun ? SimRuns.map(message, SimRuns.Message::withoutSecondEntries) : message;
            }
        }, "not linearizable", "has {", "a synced change is lost");
    }

    // ---- leases and answers ----

    @Test
    void anOwner_servesWithoutALease() {
        PlantedFaults.assertFound(6, ServesWithoutALease::new, "is served by", "not linearizable");
    }

    @Test
    void anOwner_servesWithoutALease_whereSplitsOverlap() {
        PlantedFaults.assertFound(6, Mix.OVERLAPS, ServesWithoutALease::new, "is served by", "not linearizable");
    }

    /** An owner that asks for its row alone. */
    private static final class ServesWithoutALease extends Plant {
        @Override
        ZoneHost host(SimPeer peer, ZoneHost its) {
            return new PlantedHost(its) {
                @Override
                public @Nullable ChunkStore serving(int zone) {
                    PeerCore core = peer.core();
                    return core == null ? null : core.served(zone);
                }

                @Override
                public void afterRead(int zone, long cid, Consumer<Verdict> then) {
                    its.afterRead(zone, cid, _ -> then.accept(Verdict.SERVED));
                }
            };
        }
    }

    /** A node that two of three superpeers hear has a lease, and the third one takes its life. */
    @Test
    void aLife_isTakenByTheVoteOfOneSuperpeer() {
        PlantedFaults.assertFound(5, Mix.OVERLAPS, () -> new Plant() {
            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                if (command instanceof Command.Vote vote) {
                    machine.apply(new Command.Ended(vote.node()));
                }
                return machine;
            }
        }, "holds a lease after its expiry", "is served by", "not linearizable");
    }

    @Test
    void aNode_countsItsLeaseForLongerThanThePromise() {
        PlantedFaults.assertFound(10, () -> new Plant() {
            @Override
            LeaseTerms peerTerms(LeaseTerms its) {
                return new LeaseTerms(its.termNs() * 6 / 5, its.driftPerMille());
            }
        }, "holds a lease after its expiry", "is served by");
    }

    @Test
    void aNode_doesNotNoticeThatItsMachineWasAsleep() {
        PlantedFaults.assertFound(8, () -> new Plant() {
            @Override
            boolean seesSleep() {
                return false;
            }
        }, "holds a lease after its expiry", "is served by");
    }

    @Test
    void aRead_returnsAValueThatIsNotAcknowledgedYet() {
        PlantedFaults.assertFound(1, Mix.READS, () -> new Plant() {
            @Override
            ZoneHost host(SimPeer peer, ZoneHost its) {
                return new PlantedHost(its) {
                    @Override
                    public void afterRead(int zone, long cid, Consumer<Verdict> then) {
                        then.accept(its.serving(zone) == null ? Verdict.DEPOSED : Verdict.SERVED);
                    }
                };
            }
        }, "not linearizable");
    }

    // ---- changes that are sent again ----

    @Test
    void aChange_isDoneAgainWhenItIsSentAgain() {
        PlantedFaults.assertFound(1, Mix.REFILLS, () -> new Plant() {
            @Override
            ZoneHost host(SimPeer peer, ZoneHost its) {
                return new PlantedHost(its) {
                    @Override
                    public @Nullable SlotTable slots(int zone) {
                        return its.slots(zone) == null ? null : new SlotTable(zone, _ -> false);
                    }
                };
            }
        }, "not linearizable");
    }

    @Test
    void aChange_thatIsSentAgain_hasAnotherResult() {
        PlantedFaults.assertFound(4, () -> new Plant() {
            private final Set<ByteBuffer> answered = new HashSet<>();

            @Override
            byte[] answered(byte[] request, byte[] answer) {
                boolean isSuccess = request[0] == 13 && answer[0] == 0 && answer[8] == 1;
                if (isSuccess && !answered.add(ByteBuffer.wrap(request))) {
                    byte[] other = answer.clone();
                    other[8] = 0;                               // a compare-and-set that has found another value
                    return other;
                }
                return answer;
            }
        }, "not linearizable", "a synced change is lost");
    }

    @Test
    void aNewOwner_doesNotKnowTheResultsOfTheOldOne() {
        PlantedFaults.assertFound(28, () -> new Plant() {
            @Override
            MemoryCopyLog log(MemoryCopyLog its) {
                its.forgetSlots();
                return its;
            }
        }, "not linearizable", "is lost");
    }

    // ---- recoveries ----

    @Test
    void theNumbersOfANewOwner_areLower() {
        PlantedFaults.assertFound(1, () -> new Plant() {
            private final Set<List<Object>> done = new HashSet<>();

            @Override
            void cycled(PeerCore core) {
                for (ZoneRow row : core.tables().zones()) {
                    if (row.isOwnedBy(core.node()) && row.epoch() > 1 && core.served(row.zone()) != null
                        && done.add(List.of(core.node(), row.zone(), row.epoch()))) {
                        core.ring().open(row.zone(), 0, core.ring().now(row.zone()));
                    }
                }
            }
        }, "gets", "not in order", "AssertionError");
    }

    /** A vote against a life that has expired before begins the recovery of its zones once more. */
    @Test
    void aZone_hasTwoPlans() {
        PlantedFaults.assertFound(22, Mix.LATE_VOTES, () -> new Plant() {
            /** The owner of each zone in each epoch. */
            private final Map<List<Integer>, NodeRef> owners = new HashMap<>();

            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                MetadataMachine now = machine;
                for (ZoneRow row : machine.zonesSince(-1)) {
                    if (row.owner() != null) {
                        owners.put(List.of(row.zone(), row.epoch()), row.owner());
                    }
                    if (command instanceof Command.Vote vote && !machine.isAlive(vote.node())
                        && row.state().isServed() && vote.node().equals(ownerBefore(row))) {
                        now = fenced(now, row);
                    }
                }
                return now;
            }

            private @Nullable NodeRef ownerBefore(ZoneRow row) {
                for (int epoch = row.epoch() - 1; epoch > 0; epoch--) {
                    NodeRef owner = owners.get(List.of(row.zone(), epoch));
                    if (owner != null && !owner.equals(row.owner())) {
                        return owner;
                    }
                }
                return null;
            }
        }, "is served by", "not linearizable");
    }

    // ---- moves ----

    /** A zone moves without the owner's word that it serves it no more. */
    @Test
    void aZone_isServedAtItsOldAndItsNewOwner() {
        PlantedFaults.assertFound(70, Mix.MOVES, () -> new Plant() {
            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                MetadataMachine now = machine;
                for (ZoneRow row : machine.zonesSince(-1)) {
                    now = row.isHandedOver() ? fenced(now, row) : now;
                }
                return now;
            }
        }, "is served by", "not linearizable");
    }

    /** Returns a machine in which the recovery of a zone has begun, as after the expiry of its owner. */
    private static MetadataMachine fenced(MetadataMachine machine, ZoneRow row) {
        if (row.backups().isEmpty()) {
            return machine;
        }
        return replaced(machine, new ZoneRow(row.zone(), row.epoch() + 1, ZoneState.FENCING, row.isFull(), null,
            row.backups(), List.of(), List.of(), row.nextCopy(), machine.version() + 1));
    }

    /** Returns a machine with another row, which has the next version. */
    private static MetadataMachine replaced(MetadataMachine machine, ZoneRow next) {
        MachineState state = machine.state();
        return new MetadataMachine(new MachineState(state.settings(), next.version(), state.nextZone(), state.nodes(),
            state.zones().stream().map(it -> it.zone() == next.zone() ? next : it).toList(), state.votes(),
            state.lives(), state.sessionsVersion(), state.lastSession(), state.sessions(), state.rebuilding(),
            state.nextNid(), state.cluster(), state.superpeers(), state.registry()));
    }

    // ---- cold starts ----

    /** A copy that the owner has done without comes back, and counts, if the others do not come back first. */
    @Test
    void aCopyOfAnEarlierConfiguration_counts() {
        PlantedFaults.assertFound(48, Mix.COLD_STARTS, () -> new Plant() {
            private final Map<Integer, Set<Backup>> ever = new HashMap<>();

            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                MetadataMachine now = machine;
                for (ZoneRow row : machine.zonesSince(-1)) {
                    Set<Backup> known = ever.computeIfAbsent(row.zone(), _ -> new LinkedHashSet<>());
                    known.removeIf(copy -> row.names(copy.node().nid(), copy.copy()));
                    known.addAll(row.kept());
                    if (row.state() == ZoneState.WAITING && row.backups().isEmpty()
                        && known.stream().anyMatch(copy -> isForgotten(machine, row, copy))) {
                        now = replaced(now, keeping(row, known.stream().filter(copy -> row.kept().contains(copy)
                            || isForgotten(machine, row, copy)).toList(), now.version() + 1));
                    }
                }
                return now;
            }

            private static boolean isForgotten(MetadataMachine machine, ZoneRow row, Backup copy) {
                return !row.kept().contains(copy) && !machine.isAlive(copy.node());
            }
        }, "not linearizable", "gets", "two changes", "has {");
    }

    private static ZoneRow keeping(ZoneRow row, List<Backup> kept, long version) {
        return new ZoneRow(row.zone(), row.epoch(), row.state(), row.isFull(), row.owner(), row.backups(),
            row.reports(), row.spares(), row.obstacles(), row.nextCopy(), version, row.learners(), row.heir(), kept);
    }

    /** An owner without backups acknowledges what only its memory has. */
    @Test
    void aRow_forgetsItsLastWholeCopy() {
        PlantedFaults.assertFound(1, Mix.STORMS, () -> new Plant() {
            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                MetadataMachine now = machine;
                for (ZoneRow row : machine.zonesSince(-1)) {
                    now = row.awaitsBackup() ? replaced(now, keeping(row, List.of(), now.version() + 1)) : now;
                }
                return now;
            }
        }, "is lost", "not linearizable", "has {", "not in order");
    }

    /** The superpeers change although a node still needs a majority of superpeers of long ago. */
    @Test
    void aNode_seemsToKnowAllChangesOfTheSuperpeers() {
        PlantedFaults.assertFound(361, Mix.SUPERPEERS, () -> new Plant() {
            @Override
            Heartbeat heartbeat(Heartbeat its) {
                return new Heartbeat(its.node(), its.number(), Long.MAX_VALUE);
            }
        }, "holds a lease after", "is served by", "not in order", "cannot be read after");
    }

    /** The row of a zone that waits takes copies that lack acknowledged changes for whole copies. */
    @Test
    void anOutdatedCopy_countsAsWhole() {
        PlantedFaults.assertFound(28, Mix.STORMS, () -> new Plant() {
            @Override
            MetadataMachine applied(MetadataMachine machine, Command command) {
                MetadataMachine now = machine;
                for (ZoneRow row : machine.zonesSince(-1)) {
                    List<Backup> gone = row.outdated().stream().filter(copy -> !machine.isAlive(copy.node())).toList();
                    if (row.state() == ZoneState.WAITING && row.backups().isEmpty() && !gone.isEmpty()) {
                        List<Backup> all = new ArrayList<>(gone);
                        all.addAll(row.kept());
                        now = replaced(now, keeping(row, all, now.version() + 1));
                    }
                }
                return now;
            }
        }, "not linearizable", "gets", "two changes", "has {");
    }

    @Test
    void aCopyThatHasLostItsEnd_isSaidToBeWhole() {
        PlantedFaults.assertFound(1, Mix.COLD_STARTS, () -> new Plant() {
            @Override
            MemoryCopyLog log(MemoryCopyLog its) {
                its.forgetEnds();
                return its;
            }
        }, "not linearizable", "has {", "gets");
    }

    // ---- new backups ----

    @Test
    void aLearner_isCountedBeforeItHasEverything() {
        PlantedFaults.assertFound(1, Mix.REFILLS, () -> new Plant() {
            @Override
            byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
                PeerCore core = to.core();
                return isRun || core == null ? message : SimRuns.mapAnswers(message, from, answer -> {
                    ZoneRow row = core.tables().zone(answer.zone());
                    boolean isLearner = row != null && row.isOwnedBy(core.node())
                        && row.learners().stream().anyMatch(it -> it.node().equals(answer.backup()));
                    return isLearner ? new RunAnswer(Kind.ACKNOWLEDGED, answer.zone(), answer.copy(), answer.epoch(),
                        answer.backup(), answer.owner(), core.ring().now(answer.zone()), 0) : answer;
                });
            }
        }, "has {", "not linearizable", "not in order");
    }

    @Test
    void aLearner_beginsBehindALaterBase() {
        PlantedFaults.assertFound(1, Mix.REFILLS, () -> new Plant() {
            @Override
            byte[] sent(SimPeer from, int to, boolean isRun, byte[] message) {
                return isRun ? SimRuns.map(message, run -> run.isBegin() ? run.withRun(new Run(run.run().zone(),
                    run.run().copy(), run.run().epoch(), run.run().first() + 2, 0)) : run) : message;
            }
        }, "has {", "not linearizable", "not in order");
    }

    @Test
    void aChunk_isRecordedAsItWasBeforeItsNumber() {
        PlantedFaults.assertFound(39, Mix.REFILLS, () -> new Plant() {
            @Override
            boolean isRecordedAtOnce() {
                return false;
            }
        }, "has {", "not linearizable");
    }
}
