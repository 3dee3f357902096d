package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.ZoneCopy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An owner and two backups that speak over a network. */
class RunTrafficTest {
    private static final NodeRef OWNER = new NodeRef(16, 1);
    private static final NodeRef FIRST = new NodeRef(17, 1);
    private static final NodeRef SECOND = new NodeRef(18, 1);
    private static final int ZONES = 20;
    private static final int ROUNDS_MAX = 20;
    private static final String PREFIX = "loop:run-traffic-test-";

    private final List<Node> nodes = new ArrayList<>();
    private final Node owner;
    private final Node first;

    /** A node with everything; the owner uses its shipper, a backup its log. */
    private static final class Node implements AutoCloseable {
        private final PeerNetwork link = new PeerNetwork();
        private final RunTraffic traffic = new RunTraffic(link);
        private final ShipRing ring = new ShipRing(1 << 20, Clock.SYSTEM);
        private final MemoryCopyLog log = new MemoryCopyLog();
        private final Shipper shipper;
        private final BackupService backups;
        private final Network network;

        Node(NodeRef self, List<ZoneRow> rows) throws IOException {
            shipper = new Shipper(self, ring, traffic, new Shipper.Listener() {
                @Override
                public void holdsUp(ZoneRow row, NodeRef backup) {
                    throw new AssertionError(row + " " + backup);
                }

                @Override
                public void stalled(long ns) {
                    // a test may be slow
                }
            }, Platform.SYSTEM, 1 << 22);
            backups = new BackupService(self, log, Rows.tables(rows.toArray(ZoneRow[]::new)), traffic, failure -> {
                throw failure;
            });
            network = Network.open(NetworkConfig.builder(self.nid()).listen(PREFIX + self.nid())
                .addresses(nid -> PREFIX + nid).build(),
                it -> {
                    link.opened(it);
                    traffic.register(it, backups, shipper);
                });
        }

        long received(NodeRef from) {
            return network.stats(from.nid()).messagesReceived();
        }

        @Override
        public void close() {
            network.close();
            shipper.close();
        }
    }

    RunTrafficTest() throws IOException {
        List<ZoneRow> rows = IntStream.rangeClosed(1, ZONES)
            .mapToObj(zone -> Rows.row(zone, 1, ZoneState.OPEN, OWNER, FIRST, SECOND)).toList();
        for (NodeRef self : List.of(OWNER, FIRST, SECOND)) {
            nodes.add(new Node(self, rows));
        }
        owner = nodes.get(0);
        first = nodes.get(1);
        rows.forEach(row -> owner.shipper.open(row, 0));
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    private void change(int zone, int length) {
        owner.ring.begin();
        long record = owner.ring.claim(zone, 1, length);
        owner.ring.entry(record, 0, Cid.of(zone, 1), Journal.PUT, length, 0);
        owner.ring.commit(record, false);
    }

    /** Returns what ends when all changes of all zones are acknowledged. */
    private CompletableFuture<?> acknowledged() {
        List<CompletableFuture<Verdict>> all = new ArrayList<>();
        for (int zone = 1; zone <= ZONES; zone++) {
            CompletableFuture<Verdict> next = new CompletableFuture<>();
            owner.shipper.await(owner.shipper.zone(zone), ZoneNumber.counter(owner.ring.now(zone)), WriteLevel.BACKED,
                next::complete);
            all.add(next);
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private static void await(CompletableFuture<?> future) throws Exception {
        future.get(60, TimeUnit.SECONDS);
    }

    /** What both backups have sent and received, and the runs that they have logged. */
    private List<Long> numbers() {
        Node second = nodes.get(2);
        return List.of(owner.received(FIRST), first.received(OWNER), first.backups.numbers().runs(),
            owner.received(SECOND), second.received(OWNER), second.backups.numbers().runs());
    }

    /** The shipper may look while the zones are changed one after the other, which takes moments: then again. */
    @Test
    void changes_ofManyZones_areOneMessageForEachBackup_andOneAnswer() throws Exception {
        List<Long> wanted = List.of();
        int rounds = 0;
        while (rounds < ROUNDS_MAX && !numbers().equals(wanted)) {
            List<Long> before = numbers();
            wanted = List.of(before.get(0) + 1, before.get(1) + 1, before.get(2) + ZONES,
                before.get(3) + 1, before.get(4) + 1, before.get(5) + ZONES);
            for (int zone = 1; zone <= ZONES; zone++) {
                change(zone, 64);
                change(zone, 0);
            }
            await(acknowledged());
            rounds++;
        }
        assertEquals(wanted, numbers(), "answers, messages and runs of each backup");
        for (NodeRef backup : List.of(FIRST, SECOND)) {
            Node node = nodes.get(backup.nid() - OWNER.nid());
            for (int zone = 1; zone <= ZONES; zone++) {
                assertEquals(2 * rounds,
                    ZoneNumber.counter(node.log.logged(new ZoneCopy(zone, backup.nid() - OWNER.nid()))));
            }
        }
        owner.shipper.audit();
    }

    @Test
    void longRuns_leaveByThemselves_inTheOrderOfTheirZone() throws Exception {
        for (int round = 0; round < 20; round++) {
            for (int zone = 1; zone <= ZONES; zone++) {
                change(zone, round % 3 == zone % 3 ? 9_000 : 600);
            }
            await(acknowledged());
        }
        assertEquals(0, first.backups.numbers().gaps());
        for (int zone = 1; zone <= ZONES; zone++) {
            assertEquals(20, ZoneNumber.counter(first.log.logged(new ZoneCopy(zone, 1))));
        }
        owner.shipper.audit();
    }

    @Test
    void runs_thatCannotBeSent_areTakenOnlyWhileThereIsRoom_andDroppedAtLast() {
        RunTraffic traffic = new RunTraffic(new PeerNetwork()); // its network has not begun
        MemorySegment run = RunBytes.message(new Run(1, 1, 1, ZoneNumber.of(1, 1), 40), OWNER, 1, false);
        int length = (int) run.byteSize();
        int taken = 0;
        while (traffic.offer(FIRST, run, length)) {
            taken++;
        }
        assertTrue(taken > 1 && taken < 100, "taken " + taken);
        long second = TimeUnit.SECONDS.toNanos(1);
        assertFalse(traffic.flush(second));
        assertFalse(traffic.offer(FIRST, run, length));
        assertTrue(traffic.offer(SECOND, run, length), "others are not affected");
        assertFalse(traffic.flush(2 * second - 1));
        assertFalse(traffic.flush(2 * second), "those of the second node are still here");
        assertTrue(traffic.offer(FIRST, run, length), "the runs for the first one were dropped");
    }
}
