package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Membership;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Superpeers with a log in memory, and nodes that talk to them inside this process. */
class SuperpeerTest {
    /** Long enough that a node which is only slow keeps its lease on a busy machine. */
    private static final LeaseTerms TERMS = new LeaseTerms(1_500_000_000L, 10);
    private static final int SUPERPEERS = 3;

    private final MemoryLog log = new MemoryLog(new MachineState.Settings(SUPERPEERS, 2));
    private final List<AutoCloseable> closed = new ArrayList<>();

    @BeforeEach
    void startSuperpeers() throws IOException {
        for (int i = 0; i < SUPERPEERS; i++) {
            closed.addFirst(Superpeer.start(i, config(CellMessages.nid(i)), log.member(i == 0), TERMS,
                Platform.SYSTEM));
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable next : closed) {
            next.close();
        }
    }

    private static NetworkConfig config(int nid) {
        return NetworkConfig.builder(nid).listen("loop:superpeer-test-" + nid)
            .addresses(other -> "loop:superpeer-test-" + other).handlerThreads(2).build();
    }

    /** A node that has joined. */
    private final class Node implements Membership.Listener {
        private final Tables tables;
        private final CellClient cell;
        private final Membership membership;
        private volatile boolean isExpired;

        Node(int nid) throws IOException {
            this(nid, SuperpeerSet.of(SUPERPEERS));
        }

        Node(int nid, SuperpeerSet known) throws IOException {
            tables = new Tables(known);
            Network network = Network.open(config(nid));
            cell = new CellClient(network::request, tables::superpeers);
            CommandReply reply = reply(new Command.Join(new UUID(1, nid), nid, "", Roles.PEER));
            NodeRef node = assertInstanceOf(CommandReply.Joined.class, reply).node();
            assertEquals(nid, node.nid(), "nodes join in the order of their ids");
            membership = new Membership(node, network::request, TERMS, cell, tables, Platform.SYSTEM,
                NodeLog.NONE, this);
            membership.start();
            closed.addFirst(network);
            closed.addFirst(membership);
        }

        CommandReply reply(Command command) {
            AtomicReference<CommandReply> reply = new AtomicReference<>();
            Threads.await("a reply to " + command, () -> {
                reply.set(cell.send(command).join());
                return reply.get() != null;
            });
            return Objects.requireNonNull(reply.get());
        }

        @Override
        public void changed(List<ZoneRow> rows) {}

        @Override
        public void expired() {
            isExpired = true;
        }
    }

    @Test
    void node_thatJoins_holdsALeaseAndSeesTheTables() throws IOException {
        Node node = new Node(16);
        Threads.await("a lease", node.membership::holdsLease);
        assertEquals(new CommandReply.Zones(1, 4), node.reply(new Command.NewZones(node.membership.node(), 1, 4)));
        Threads.await("four zones", () -> node.tables.zones().size() == 4);
        assertTrue(node.tables.isAlive(node.membership.node()));
    }

    /** By the promise of one superpeer the node could serve its zones while a majority of all has expired the node. */
    @Test
    void node_thatIsConfiguredWithFewerSuperpeersThanThereAre_needsAMajorityOfAll() throws IOException {
        Node node = new Node(16, SuperpeerSet.of(List.of("loop:only")));
        Threads.await("a lease", () -> {
            boolean holds = node.membership.holdsLease();
            assertTrue(!holds || node.tables.superpeers().counting().size() == SUPERPEERS);
            return holds;
        });
    }

    /** Else their votes would not count, and no node could expire any more. */
    @Test
    void superpeers_whoseLivesCountNoLonger_beginOthers() throws IOException {
        Node node = new Node(16);
        Threads.await("a lease", node.membership::holdsLease);
        for (int superpeer = 1; superpeer < SUPERPEERS; superpeer++) {
            int number = superpeer;
            Threads.await("the end of a life", () -> log.member(true).propose(new Command.SuperpeerLife(number,
                log.member(false).read(machine -> machine.life(number)), number)).join() instanceof CommandReply.Done);
        }
        Node other = new Node(17);
        node.reply(new Command.NewZones(node.membership.node(), 1, 1));
        node.membership.close();
        Threads.await("a fenced zone",
            () -> other.tables.zone(1) != null && other.tables.zone(1).state() == ZoneState.FENCING);
    }

    @Test
    void node_thatFallsSilent_expires_andItsZonesAreFenced() throws IOException {
        Node first = new Node(16);
        Node second = new Node(17);
        Threads.await("two leases", () -> first.membership.holdsLease() && second.membership.holdsLease());
        first.reply(new Command.NewZones(first.membership.node(), 1, 1));
        first.membership.close();
        Threads.await("a fenced zone",
            () -> second.tables.zone(1) != null && second.tables.zone(1).state() == ZoneState.FENCING);
        assertTrue(second.tables.zone(1).hasBackup(second.membership.node()));
        Threads.await("the lease again", second.membership::holdsLease); // not now, if it has stopped
    }

    @Test
    void node_whoseProcessHasEnded_expiresAtOnce_andLearnsIt() throws IOException {
        Node first = new Node(16);
        Node second = new Node(17);
        Threads.await("a lease", first.membership::holdsLease);
        second.reply(new Command.Ended(first.membership.node()));
        Threads.await("the end of the lease", () -> first.isExpired);
        assertTrue(!first.membership.holdsLease());
    }

    @Test
    void slowCandidates_areLeftOut_whenOneHasReported() throws IOException {
        Node first = new Node(16);
        Node second = new Node(17);
        Node third = new Node(18);
        Threads.await("two leases", () -> first.membership.holdsLease() && third.membership.holdsLease());
        first.reply(new Command.NewZones(first.membership.node(), 1, 1));
        second.reply(new Command.Ended(first.membership.node()));
        second.reply(new Command.Fenced(1, 2, second.membership.node(), 5));
        Threads.await("the restore of the zone", () -> {
            ZoneRow row = second.tables.zone(1);
            return row != null && row.state() == ZoneState.RESTORING && row.isOwnedBy(second.membership.node());
        });
        assertEquals(1, second.tables.zone(1).spares().size());
    }

    /** With the NIDs of superpeers proven by certificates, no client speaks for a superpeer. */
    @Test
    void statementsOfASuperpeer_areTakenFromThisSuperpeerAlone() throws IOException {
        NodeRef node = new Node(16).membership.node();
        ClusterId cluster = new ClusterId(1, 2, "");
        try (Network client = Network.open(config(61_000))) {
            for (Command command : List.of(new Command.Vote(1, 5, node), new Command.SuperpeerLife(1, 0, 5),
                new Command.SuperpeerMoved(1, 5, "loop:a"), new Command.SuperpeerStands(1, 1, Standing.LEFT),
                new Command.Begin(1, 1), new Command.Founded(cluster), new Command.Hedge(1, 1))) {
                CompletableFuture<CommandAnswer> answer = client.request(CellMessages.nid(0), CellMessages.COMMAND,
                    command);
                String thrown = assertThrows(CompletionException.class, answer::join).getMessage();
                assertTrue(thrown.contains("node 61000 is not the superpeer that may send " + command), thrown);
            }
            CompletableFuture<HeartbeatAnswer> beat = client.request(CellMessages.nid(0), CellMessages.HEARTBEAT,
                new Heartbeat(node, 1, 1));
            String thrown = assertThrows(CompletionException.class, beat::join).getMessage();
            assertTrue(thrown.contains("node 61000 sends a heartbeat of " + node), thrown);
        }
        CellAnswers.checkSender(CellMessages.nid(1), new Command.Vote(1, 5, node));
        assertThrows(IllegalArgumentException.class, () -> CellAnswers.checkSender(CellMessages.nid(2),
            new Command.Vote(1, 5, node)));
        CellAnswers.checkSender(61_000, new Command.Ended(node));
    }

    /** A process with the secret cannot fill the memory of a superpeer by lives that never were. */
    @Test
    void heartbeat_ofALifeThatNeverWas_isNotRemembered() {
        MemoryLog alone = new MemoryLog(new MachineState.Settings(1, 2));
        CellAnswers answers = new CellAnswers(0, alone.member(() -> true), TERMS, Clock.SYSTEM, false);
        NodeRef never = new NodeRef(16, 99);
        assertFalse(answers.heartbeat(new Heartbeat(never, 1, 7)).isPromised());
        assertFalse(answers.allKnow(List.of(never), 1));
    }

    /** The superpeer of a new cluster leads a while after its start, and until then can send its commands nowhere. */
    @Test
    void onlySuperpeer_thatDoesNotLeadYet_announcesItselfWhenItLeads() throws IOException {
        AtomicBoolean leads = new AtomicBoolean();
        MemoryLog alone = new MemoryLog(new MachineState.Settings(1, 2));
        NetworkConfig config = NetworkConfig.builder(CellMessages.nid(0)).handlerThreads(2).build();
        SuperpeerLog member = alone.member(leads::get);
        Superpeer superpeer = Superpeer.start(0, config, member, TERMS, Platform.SYSTEM);
        closed.addFirst(superpeer);
        AtomicInteger looks = alone.looks();
        Threads.await("some looks", () -> looks.get() > 5);
        assertFalse(superpeer.isAnnounced());
        leads.set(true);
        Threads.await("the announcement", superpeer::isAnnounced);
    }
}
