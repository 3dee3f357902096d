package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an owner asks for backups and reports learners: ring and shipper are real, rows and answers the test's. */
class RefillsTest {
    private static final long MS = 1_000_000;
    private static final long SETTLE_NS = 200 * MS;
    private static final NodeRef SELF = new NodeRef(16, 1);
    private static final NodeRef FIRST = new NodeRef(17, 1);
    private static final NodeRef SECOND = new NodeRef(18, 1);
    private static final NodeRef THIRD = new NodeRef(19, 1);
    private static final ZoneRow FIVE = Rows.row(5, 1, ZoneState.OPEN, SELF, FIRST);
    private static final ZoneRow SIX = Rows.row(6, 1, ZoneState.OPEN, SELF, FIRST);

    private long nowNs = 1_000_000 * MS;
    private final Clock clock = () -> nowNs;
    private final ShipRing ring = new ShipRing(1 << 16, clock);
    private final List<Run> begun = new ArrayList<>();
    private final Shipper shipper = new Shipper(SELF, ring, (_, memory, _) -> {
        if (RunMessage.isBegin(memory, 0)) {
            begun.add(RunMessage.run(memory, 0));
        }
        return true;
    }, new Shipper.Listener() {
        @Override
        public void holdsUp(ZoneRow row, NodeRef backup) {
            throw new AssertionError(backup);
        }

        @Override
        public void stalled(long ns) {
            throw new AssertionError(ns);
        }
    }, Platform.SYSTEM.withClock(clock), 1 << 20);
    private final List<Command> commands = new ArrayList<>();
    private final Map<Integer, ZoneRecording> recordings = new HashMap<>();
    private final Map<Integer, SlotTable> slots = new HashMap<>();
    private final Tables tables = new Tables();
    /** Memory that each zone seems to take. */
    private long takenBytes = 8;
    private final Refills refills = new Refills(SELF, config(), zones(),
        this::table, ring, shipper,
        new CellCommands(new CellClient(new Requests() {
            @Override
            @SuppressWarnings("unchecked")
            public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
                commands.add((Command) request);
                return (CompletableFuture<R>) CompletableFuture.completedFuture(
                    new CommandAnswer(new CommandReply.Done()));
            }
        }, () -> SuperpeerSet.of(1)), () -> { }));

    private SlotTable table(int zone) {
        return slots.computeIfAbsent(zone, it -> new SlotTable(it, _ -> false));
    }

    private PeerConfig config() {
        return PeerConfig.of(Path.of("peer"), "loop:test", List.of("loop:test")).withZones(1, 2, SETTLE_NS)
            .withPlatform(Platform.SYSTEM.withClock(clock));
    }

    private Zones zones() {
        return (Zones) Proxy.newProxyInstance(RefillsTest.class.getClassLoader(), new Class<?>[] {Zones.class},
            (_, method, it) -> method.getName().equals("stats")
                ? new ZoneStats((int) it[0], 1, takenBytes, takenBytes, 0) : recordings.get((int) it[0]));
    }

    @BeforeEach
    void open() {
        tables.update(new TableAnswer(1, List.of(node(SELF), node(FIRST), node(SECOND)), List.of(FIVE, SIX), null,
            null, 2, 0));
        for (ZoneRow row : List.of(FIVE, SIX)) {
            shipper.open(row, 0);
            change(row.zone());
            change(row.zone());
            shipper.kick();
            acknowledge(row.zone(), FIRST, 1, 1, 2);
        }
    }

    private static NodeRow node(NodeRef node) {
        return new NodeRow(node.nid(), node.incarnation(), true, new UUID(0, node.nid()), 1, "", Roles.PEER, 0, 0, 0, 0,
            1, false);
    }

    private void change(int zone) {
        ring.begin();
        long record = ring.claim(zone, 1, 8);
        ring.entry(record, 0, Cid.of(zone, 1), Journal.PUT, 8, 0);
        ring.commit(record, false);
    }

    private void acknowledge(int zone, NodeRef backup, int copy, int epoch, long counter) {
        acknowledge(zone, backup, copy, epoch, counter, 0);
    }

    private void acknowledge(int zone, NodeRef backup, int copy, int epoch, long counter, long syncedCounter) {
        shipper.answered(new RunAnswer(RunAnswer.Kind.ACKNOWLEDGED, zone, copy, epoch, backup, SELF.incarnation(),
            ZoneNumber.of(epoch, counter), syncedCounter == 0 ? 0 : ZoneNumber.of(epoch, syncedCounter)));
    }

    /** Lets the owner look, and returns what it has sent of a zone. */
    private List<Command> lookAt(int zone) {
        return look().stream().filter(command -> !(command instanceof Command.AddBackup it) || it.zone() == zone)
            .toList();
    }

    /** Lets the owner look, and returns what it has sent. */
    private List<Command> look() {
        commands.clear();
        nowNs += 100 * MS;
        refills.look(tables, _ -> true, nowNs);
        return List.copyOf(commands);
    }

    private List<Command> lookFor(long ns) {
        List<Command> all = new ArrayList<>();
        for (long endNs = nowNs + ns; nowNs - endNs < 0; ) {
            all.addAll(look());
        }
        return all;
    }

    private void configure(ZoneRow row) {
        assertTrue(tables.update(row));
        assertTrue(shipper.configured(row));
    }

    /** Has the refill of a zone begin by its mark, and the learner take that; it is the third record of the zone. */
    private void mark(int zone, NodeRef learner, int copy, int epoch) {
        refills.work();
        shipper.kick();
        acknowledge(zone, learner, copy, epoch, ZoneNumber.counter(ring.now(zone)));
    }

    /** A recording of a number of changes, each in a step of its own. */
    private ZoneRecording recording(int zone, int changes) {
        int[] left = {changes};
        return _ -> {
            change(zone);
            return --left[0] > 0;
        };
    }

    // ---- learners ----

    @Test
    void learner_isReportedWhenItsDiskHasTheEndOfTheRecording_notBefore() {
        recordings.put(5, recording(5, 2));
        configure(Rows.learning(FIVE, SECOND, 7));
        shipper.kick();
        assertEquals(List.of(new Run(5, 7, 2, ZoneNumber.of(1, 2), 0)), begun, "behind the last change of before");
        acknowledge(5, SECOND, 7, 1, 2);
        assertEquals(List.of(), lookAt(5));
        mark(5, SECOND, 7, 2);
        assertEquals(List.of(), lookAt(5), "nothing was recorded");
        refills.work();
        acknowledge(5, SECOND, 7, 2, 4);
        assertEquals(List.of(), lookAt(5), "it has what was recorded, but that is not all");
        refills.work();
        assertEquals(List.of(), lookAt(5), "all was recorded, and it has not logged all");
        change(5);
        shipper.kick();
        acknowledge(5, SECOND, 7, 2, 5);
        assertEquals(List.of(), lookAt(5), "a power cut would leave a part of it");
        acknowledge(5, SECOND, 7, 2, 5, 4);
        assertEquals(List.of(), lookAt(5));
        acknowledge(5, SECOND, 7, 2, 5, 5);
        List<Command> sent = lookAt(5);
        assertEquals(List.of(new Command.Learned(5, 2, SECOND)), sent);
    }

    /** The journal would get a part of the change otherwise: RawMapsTest. */
    @Test
    void recording_duringAChangeOfACollection_takesNoStep() {
        recordings.put(5, recording(5, 2));
        configure(Rows.learning(FIVE, SECOND, 7));
        shipper.kick();
        acknowledge(5, SECOND, 7, 1, 2);
        assertEquals(List.of(), lookAt(5));
        mark(5, SECOND, 7, 2);
        assertEquals(List.of(), lookAt(5));
        long before = ring.now(5);
        table(5).maps().enter();
        refills.work();
        assertEquals(before, ring.now(5), "a step during the change");
        table(5).maps().leave();
        refills.work();
        assertEquals(before + 1, ring.now(5));
    }

    @Test
    void changesThatAreInTheRing_whenTheLearnerIsSeen_belongToTheLearner() {
        recordings.put(5, recording(5, 1));
        change(5);                                              // counter 3, not cut yet
        configure(Rows.learning(FIVE, SECOND, 7));
        shipper.kick();
        assertEquals(ZoneNumber.of(1, 2), begun.getFirst().first());
    }

    @Test
    void learner_thatIsReplaced_itsRecordingEnds() {
        recordings.put(5, recording(5, 9));
        ZoneRow row = Rows.learning(FIVE, SECOND, 7);
        configure(row);
        look();
        mark(5, SECOND, 7, 2);
        refills.work();
        recordings.put(5, recording(5, 9));
        configure(new ZoneRow(5, 4, ZoneState.OPEN, false, SELF, FIVE.backups(), List.of(), List.of(), List.of(), 9, 4,
            Rows.learning(FIVE, SECOND, 8).learners()));
        look();
        long before = ring.now(5);
        for (int i = 0; i < 20; i++) {
            shipper.kick();
            acknowledge(5, FIRST, 1, 4, ZoneNumber.counter(ring.now(5)));
            acknowledge(5, SECOND, 8, 4, ZoneNumber.counter(ring.now(5)));
            refills.work();
        }
        assertEquals(ZoneNumber.counter(before) + 1 + 9, ZoneNumber.counter(ring.now(5)),
            "a mark, and nine of the second one");
    }

    /** Copies of two zones at one node may have one number. */
    @Test
    void learner_thatIsGivenUp_itsRecordingEnds_whileTheNodeLearnsAnotherZone() {
        recordings.put(5, recording(5, 9));
        recordings.put(6, recording(6, 9));
        configure(Rows.learning(FIVE, SECOND, 7));
        configure(Rows.learning(SIX, SECOND, 7));
        look();
        mark(5, SECOND, 7, 2);
        refills.work();
        assertEquals(4, ZoneNumber.counter(ring.now(5)));
        configure(new ZoneRow(5, 3, ZoneState.OPEN, false, SELF, FIVE.backups(), List.of(), List.of(), 8, 3));
        look();
        mark(6, SECOND, 7, 2);
        refills.work();
        assertEquals(4, ZoneNumber.counter(ring.now(5)), "no learner needs it");
        assertEquals(4, ZoneNumber.counter(ring.now(6)));
    }

    /** What is recorded keeps reads waiting until the learner has it. */
    @Test
    void learner_thatTakesNothing_nothingIsRecordedForIt_andOthersGoOn() {
        recordings.put(5, recording(5, 9));
        recordings.put(6, recording(6, 9));
        configure(Rows.learning(FIVE, SECOND, 7));
        configure(Rows.learning(SIX, SECOND, 7));
        look();
        for (int i = 0; i < 5; i++) {
            refills.work();
            shipper.kick();
        }
        assertEquals(3, ZoneNumber.counter(ring.now(5)), "its mark alone");
        assertEquals(3, ZoneNumber.counter(ring.now(6)));
        acknowledge(6, SECOND, 7, 2, 3);
        refills.work();
        assertEquals(3, ZoneNumber.counter(ring.now(5)));
        assertEquals(4, ZoneNumber.counter(ring.now(6)));
        acknowledge(5, SECOND, 7, 2, 3);
        refills.work();
        assertEquals(4, ZoneNumber.counter(ring.now(5)));
    }

    /** A recording that cannot come to its end while the only backup takes nothing would only keep reads waiting. */
    @Test
    void backupThatTakesNothing_aLargeZoneIsNotRecordedMeanwhile_aSmallOneIs() {
        recordings.put(5, recording(5, 9));
        takenBytes = ring.capacity();
        configure(Rows.learning(FIVE, SECOND, 7));
        look();
        mark(5, SECOND, 7, 2);
        refills.work();
        assertEquals(3, ZoneNumber.counter(ring.now(5)), "the first backup has no room");
        takenBytes = 100;
        refills.work();
        assertEquals(4, ZoneNumber.counter(ring.now(5)));
        takenBytes = ring.capacity();
        refills.work();
        assertEquals(4, ZoneNumber.counter(ring.now(5)));
        acknowledge(5, FIRST, 1, 2, 4);
        refills.work();
        assertEquals(5, ZoneNumber.counter(ring.now(5)));
    }

    @Test
    void recording_thatEndsByAnException_beginsAnew() {
        recordings.put(5, _ -> {
            throw new IllegalArgumentException("a chunk that cannot be recorded");
        });
        configure(Rows.learning(FIVE, SECOND, 7));
        look();
        mark(5, SECOND, 7, 2);
        assertThrows(IllegalArgumentException.class, refills::work);
        recordings.put(5, recording(5, 1));
        assertEquals(List.of(), lookAt(5));
        mark(5, SECOND, 7, 2);
        refills.work();
        acknowledge(5, SECOND, 7, 2, 5, 5);
        assertEquals(List.of(new Command.Learned(5, 2, SECOND)), lookAt(5));
    }

    // ---- asking for backups ----

    private static final List<Command> WANTED = List.of(new Command.AddBackup(5, 1), new Command.AddBackup(6, 1));

    @Test
    void zone_withTooFewBackups_getsOne_whenAllZonesAreServed() {
        tables.update(Rows.row(9, 2, ZoneState.RESTORING, FIRST, SECOND));
        assertEquals(List.of(), lookFor(20_000 * MS));
        tables.update(Rows.row(9, 3, ZoneState.OPEN, FIRST, SECOND));
        lookFor(SETTLE_NS);
        assertEquals(WANTED, look());
    }

    @Test
    void zone_thatCannotBeRestored_isNotWaitedFor() {
        tables.update(new ZoneRow(9, 2, ZoneState.RESTORING, false, FIRST, List.of(), List.of(), List.of(),
            List.of(new ZoneRow.Obstacle(FIRST, Hindrance.DAMAGE, 0, 0)), 3, 2, List.of()));
        lookFor(SETTLE_NS + 100 * MS);
        assertEquals(WANTED, look());
    }

    @Test
    void zone_whoseRecoveryTakesLong_isNotWaitedForAnyLonger() {
        tables.update(Rows.row(9, 2, ZoneState.FENCING, null, FIRST, SECOND));
        assertEquals(List.of(), lookFor(29_000 * MS));
        lookFor(2_000 * MS);
        assertEquals(WANTED, look());
    }

    @Test
    void node_thatHasHeldUpWrites_isAvoided_forLongerEachTime() {
        lookFor(SETTLE_NS + 100 * MS);
        assertEquals(WANTED, look());
        refills.avoid(SECOND);
        assertEquals(List.of(), lookFor(1_900 * MS), "no other node could be a backup");
        lookFor(100 * MS);
        assertEquals(WANTED, look());
        refills.avoid(SECOND);
        refills.avoid(SECOND);                                  // by another zone
        assertEquals(List.of(), lookFor(3_900 * MS));
        tables.update(new TableAnswer(9, List.of(node(THIRD)), List.of(), null, null, 2, 0));
        refills.avoid(SECOND);
        lookFor(SETTLE_NS + 100 * MS);
        assertEquals(List.of(new Command.AddBackup(5, 1, List.of(SECOND)), new Command.AddBackup(6, 1,
            List.of(SECOND))), look());
    }

    // ---- peers that are being unloaded ----

    private void unload(NodeRef node, NodeRef... others) {
        List<NodeRow> rows = new ArrayList<>(List.of(new NodeRow(node.nid(), node.incarnation(), true,
            new UUID(0, node.nid()), 1, "", Roles.NONE, 0, 0, 0, 0, 2, false)));
        for (NodeRef other : others) {
            rows.add(node(other));
        }
        tables.update(new TableAnswer(2, rows, List.of(), null, null, 2, 0));
    }

    private static ZoneRow row(int zone, NodeRef... backups) {
        List<Backup> copies = new ArrayList<>();
        for (NodeRef backup : backups) {
            copies.add(new Backup(backup, copies.size() + 1));
        }
        return new ZoneRow(zone, 2, ZoneState.OPEN, false, SELF, copies, List.of(), List.of(), 9, 2);
    }

    @Test
    void backupAtAnUnloadedPeer_getsAReplacement_andIsNotGivenUpBefore() {
        configure(row(5, FIRST, SECOND));
        configure(row(6, SECOND, THIRD));
        unload(FIRST, THIRD);
        List<Command> sent = lookFor(2 * SETTLE_NS);
        assertTrue(sent.contains(new Command.AddBackup(5, 2)), sent::toString);
        assertTrue(sent.stream().allMatch(new Command.AddBackup(5, 2)::equals), sent::toString);
    }

    @Test
    void backupAtAnUnloadedPeer_besideEnoughOthers_isGivenUp() {
        configure(row(5, FIRST, SECOND, THIRD));
        configure(row(6, SECOND, THIRD));
        unload(FIRST, THIRD);
        List<Command> sent = lookFor(2 * SETTLE_NS);
        assertTrue(sent.contains(new Command.BackupFailed(5, 2, FIRST)), sent::toString);
        assertTrue(sent.stream().allMatch(new Command.BackupFailed(5, 2, FIRST)::equals), sent::toString);
    }
}
