package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.SnapshotBound;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.EnterRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.os.Disk;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Superpeers' logs with their threads in one process; messages and requests are calls. */
@Timeout(120)
class RaftLogTest {
    @TempDir
    private Path folder;
    private final Map<Integer, RaftLog> logs = Collections.synchronizedMap(new HashMap<>());
    private final Map<Integer, FaultDisk> disks = new HashMap<>();
    private final List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
    private int superpeers = 3;
    private int snapshotCommands = 50;
    /** Carries messages. */
    private Executor way = Runnable::run;
    private int joined;

    @AfterEach
    void endAll() {
        List.copyOf(logs.keySet()).forEach(this::end);
    }

    private void end(int number) {
        RaftLog log = logs.remove(number);
        if (log != null) {
            log.close();
        }
    }

    private static SuperpeerSet known(int superpeers) {
        return SuperpeerSet.of(IntStream.range(0, superpeers).mapToObj(other -> "loop:" + other).toList());
    }

    private RaftLog start(int number) throws IOException {
        return start(number, disks.computeIfAbsent(number, _ -> new FaultDisk()), FaultDisk.ROOT);
    }

    private RaftLog start(int number, Disk disk, Path home) throws IOException {
        return start(number, disk, home, "loop:" + number, known(superpeers));
    }

    private RaftLog start(int number, Disk disk, Path home, String address, SuperpeerSet known) throws IOException {
        RaftLog log = new RaftLog(new RaftLog.Config(number, address, home, new MachineState.Settings(superpeers, 1),
            new SnapshotBound(snapshotCommands, 1 << 20), known), Platform.SYSTEM.withDisk(disk), told::add);
        log.start();
        logs.put(number, log);
        log.join(new Calls(), (to, bytes) -> {
            way.execute(() -> {
                RaftLog other = logs.get(to);
                if (other != null) {
                    other.receive(number, bytes);
                }
            });
        });
        return log;
    }

    private final class Calls implements Requests {
        @Override
        @SuppressWarnings("unchecked")
        public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
            RaftLog other = logs.get(CellMessages.superpeer(nid));
            if (other == null) {
                throw new NetworkException(Reason.UNREACHABLE, nid, "it does not run");
            }
            return request instanceof EnterRequest enter ? (CompletableFuture<R>) other.enter(enter)
                : (CompletableFuture<R>) CompletableFuture.completedFuture(other.part());
        }
    }

    private RaftLog leader() {
        Threads.await("a superpeer leads", () -> logs.values().stream().anyMatch(RaftLog::isLeading));
        return logs.values().stream().filter(RaftLog::isLeading).findAny().orElseGet(this::leader);
    }

    private CommandReply propose(Command command) {
        AtomicReference<CommandReply> reply = new AtomicReference<>();
        Threads.await("the command is applied", () -> {
            reply.set(leader().propose(command).handle((applied, _) -> applied).join());
            return reply.get() != null;                         // or the leader has changed
        });
        return reply.get();
    }

    private void join() {
        joined++;
        assertInstanceOf(CommandReply.Joined.class, propose(new Command.Join(new UUID(1, joined), joined, "",
            Roles.PEER)));
    }

    private void found() throws IOException {
        for (int i = 0; i < superpeers; i++) {
            start(i);
        }
        assertInstanceOf(CommandReply.Done.class, propose(new Command.Founded(new ClusterId(1, 2, ""))));
        join();
        awaitAll();
    }

    private void awaitAll() {
        Threads.await("all superpeers know " + joined + " nodes", () -> logs.values().stream()
            .allMatch(log -> log.isMember() && log.read(MetadataMachine::state).nodes().size() == joined));
    }

    // ---- changes of the superpeers ----

    private void step(int number, Standing next) {
        Threads.await("superpeer " + number + " is " + next, () -> {
            SuperpeerSet now = leader().superpeers();
            SuperpeerRow row = now.row(number);
            return (row == null ? Standing.GONE : row.standing()) == next
                || propose(new Command.SuperpeerStands(number, now.version(), next)) == null;
        });
    }

    private void add(int number) throws IOException {
        assertEquals(new CommandReply.SuperpeerGiven(number), propose(new Command.AddSuperpeer("loop:" + number)));
        disks.put(number, new FaultDisk());
        start(number, disks.get(number), FaultDisk.ROOT, "loop:" + number, leader().superpeers());
        Threads.await("superpeer " + number + " has a vote", () -> leader().isVoter(number));
        step(number, Standing.COUNTING);
        join();
        awaitAll();
    }

    private void remove(int number) {
        propose(new Command.RemoveSuperpeer(number));
        step(number, Standing.LEFT);
        Threads.await("superpeer " + number + " is removed", () -> leader().remove(number));
        step(number, Standing.GONE);
        end(number);
        join();
        awaitAll();
    }

    @Test
    void singleSuperpeer_growsToFive_andShrinksToAnotherOne() throws IOException {
        superpeers = 1;
        found();
        for (int number = 1; number < 5; number++) {
            add(number);
        }
        for (int number = 0; number < 4; number++) {
            remove(number);
        }
        assertEquals(List.of(4), leader().superpeers().rows().stream().map(SuperpeerRow::number).toList());
        end(4);
        start(4, disks.get(4), FaultDisk.ROOT, "loop:4", RaftLog.known(disks.get(4), FaultDisk.ROOT));
        join();
        awaitAll();
    }

    /** Another process with a number of the cell must not take the place of the superpeer with this number. */
    @Test
    void superpeerThatIsNotInTheTables_waits() throws IOException {
        found();
        for (int number = 0; number < 3; number++) {
            propose(new Command.SuperpeerLife(number, 0, 5));
            propose(new Command.SuperpeerMoved(number, 5, "loop:" + number));
        }
        RaftLog unknown = start(3, new FaultDisk(), FaultDisk.ROOT, "loop:3", leader().superpeers());
        Threads.await("it says so", () ->
            unknown.waitsFor().startsWith("its place: the cluster has no superpeer 3 at"));
        end(3);
        end(2);
        RaftLog other = start(2, new FaultDisk(), FaultDisk.ROOT, "loop:other", leader().superpeers());
        Threads.await("it says so", () -> other.waitsFor().startsWith("its place: the cluster has no superpeer 2 at"));
        assertFalse(unknown.isMember() || other.isMember());
        end(2);
        start(2);
        join();
        awaitAll();
    }

    // ---- founding and restarts ----

    @Test
    void emptySuperpeers_foundTheCell_andRestart() throws IOException {
        found();
        for (int i = 0; i < 3; i++) {
            end(i);
        }
        for (int i = 0; i < 3; i++) {
            start(i);
        }
        join();
        awaitAll();
        assertEquals(List.of(), told);
    }

    /** After a start no command is known to be committed, and the algorithm bounds the commands of this kind. */
    @Test
    void superpeersThatAllRestart_lead_withManyCommandsBehindTheSnapshot() throws IOException {
        snapshotCommands = 100_000;
        found();
        for (int round = 0; round < 25; round++) {
            RaftLog leader = leader();
            CompletableFuture.allOf(IntStream.range(0, 100).mapToObj(_ -> leader.propose(new Command.ZoneSought(0)))
                .toArray(CompletableFuture[]::new)).join();
        }
        endAll();
        way = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);  // so a leader proposes before it commits
        for (int i = 0; i < superpeers; i++) {
            start(i);
        }
        join();
        awaitAll();
    }

    @Test
    void singleSuperpeer_foundsItsCell_andTakesSnapshots() throws IOException {
        superpeers = 1;
        found();
        for (int i = 0; i < 120; i++) {
            join();
        }
        end(0);
        assertTrue(RaftJournal.look(disks.get(0), FaultDisk.ROOT).snapshotIndex() >= 100);
        start(0);
        awaitAll();
    }

    /** Without an answer of the third superpeer the cell may exist there. */
    @Test
    void emptySuperpeers_waitForTheAnswersOfAll() throws IOException {
        RaftLog first = start(0);
        RaftLog second = start(1);
        Threads.await("they say for what they wait", () -> first.waitsFor().startsWith("an answer of all other superp")
            && second.waitsFor().startsWith("an answer of all other superpeers"));
        assertFalse(first.isMember() || second.isMember());
        assertThrows(RuntimeException.class, () -> first.propose(new Command.Founded(new ClusterId(1, 2, ""))).join());
        start(2);
        join();
    }

    @Test
    void superpeerWithoutItsDisk_isReplaced_andVotes() throws IOException {
        found();
        for (int lost = 0; lost < 3; lost++) {
            end(lost);
            disks.remove(lost);
            join();
            start(lost);
            awaitAll();
            Threads.await("its part is whole", () -> logs.values().stream().allMatch(log -> log.waitsFor().isEmpty()));
            end((lost + 1) % 3);                                // its vote is needed now
            join();
            start((lost + 1) % 3);
            awaitAll();
        }
    }

    /** With two of three disks lost nothing is guessed. */
    @Test
    void mostDisksLost_superpeersWait() throws IOException {
        found();
        for (int i = 0; i < 3; i++) {
            end(i);
        }
        disks.remove(0);
        disks.remove(2);
        for (int i = 0; i < 3; i++) {
            start(i);
        }
        Threads.await("they wait", () -> logs.get(0).waitsFor().startsWith("the log of the other superpeers, because ")
            && logs.get(2).waitsFor().startsWith("the log of the other superpeers, because "));
        assertFalse(logs.values().stream().anyMatch(RaftLog::isLeading));
        assertFalse(logs.get(0).isMember());
    }

    @Test
    void fullDisk_endsTheMember_untilThereIsRoom() throws IOException {
        found();
        int full = logs.entrySet().stream().filter(log -> log.getValue().isLeading()).findAny().orElseThrow().getKey();
        disks.get(full).fillUp(0);
        for (int i = 0; i < 400 && !logs.get(full).needsRoom(); i++) {
            join();
        }
        Threads.await("it says so", () -> logs.get(full).needsRoom());
        assertEquals("room on its disk", logs.get(full).waitsFor());
        join();
        assertTrue(told.stream().anyMatch(each -> each.getMessage().contains("the disk is full")), told::toString);
        disks.get(full).limit(64 << 20);
        Threads.await("it goes on", () -> !logs.get(full).needsRoom());
        awaitAll();
        assertEquals(1, logs.get(full).restarts(), "it has begun a new life");
    }

    @Test
    void end_ofTheLeader_handsLeadershipOver() throws IOException {
        found();
        int old = logs.entrySet().stream().filter(log -> log.getValue().isLeading()).findAny().orElseThrow().getKey();
        end(old);
        join();
        assertEquals(2, logs.size());
    }

    /** A folder that was put aside, and is put back after the others have founded a new cell. */
    @Test
    void journalOfAnotherCell_isRefusedByName() throws IOException {
        found();
        for (int i = 0; i < 3; i++) {
            end(i);
        }
        final FaultDisk old = disks.get(2);
        disks.clear();
        joined = 0;
        found();
        end(2);
        disks.put(2, old);
        RaftLog log = start(2);
        Threads.await("it says so", () -> log.failure() != null);
        assertTrue(log.failure().contains("is of another cell than the log of the other superpeers"), log.failure());
        assertTrue(log.failure().contains("move the whole folder away"), log.failure());
        join();
    }

    @Test
    void diskThatIsFullAtTheStart_isWaitedFor() throws IOException {
        superpeers = 1;
        FaultDisk full = new FaultDisk();
        full.fillUp(0);
        disks.put(0, full);
        RaftLog log = start(0);
        Threads.await("it waits", log::needsRoom);
        full.limit(64 << 20);
        join();
        awaitAll();
    }

    @Test
    void folderOfAnEarlierBuild_isRefusedByName() throws IOException {
        Files.createDirectories(folder.resolve("archive"));
        String text = assertThrows(IOException.class, () -> start(0, Disk.SYSTEM, folder)).getMessage();
        assertTrue(text.contains("was written by an earlier build with another consensus (it has archive)"), text);
        assertTrue(text.contains("./teff cluster rebuild"), text);
    }

    /** A later build may send other messages, and a client has no part in the log. */
    @Test
    void bytesThatAreNoMessage_endNoMember() throws IOException {
        found();
        for (RaftLog log : List.copyOf(logs.values())) {
            log.receive(1, new byte[] {99, 1, 2});
            log.receive(61_440, new byte[] {1});
        }
        join();
        awaitAll();
        Threads.await("each member has reported the bytes", () -> told.size() == 3);
        assertTrue(told.getFirst().getMessage().contains("a message of superpeer 1 cannot be read"), told::toString);
    }

    @Test
    void folderOfAnyName_isUsed() throws IOException {
        assumeTrue(Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode("\u00fc"));
        superpeers = 1;
        Path home = folder.resolve("d\u00fcne und " + "x".repeat(200));
        start(0, Disk.SYSTEM, home);
        join();
        end(0);
        start(0, Disk.SYSTEM, home);
        awaitAll();
    }

    @Test
    void damagedJournal_isNamed() throws IOException {
        superpeers = 1;
        start(0, Disk.SYSTEM, folder);
        propose(new Command.Founded(new ClusterId(1, 2, "")));
        join();
        end(0);
        Path journal = folder.resolve("journal-0000000000000001");
        byte[] bytes = Files.readAllBytes(journal);
        bytes[100] ^= 1;
        Files.write(journal, bytes);
        String text = assertThrows(IOException.class, () -> start(0, Disk.SYSTEM, folder)).getMessage();
        assertTrue(text.contains("is damaged at byte ") && text.contains("move the whole folder away"), text);
        assertNull(logs.get(0));
    }
}
