package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.cluster.RecordingLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.superpeer.MemoryLog;
import io.teff.cluster.superpeer.SuperpeerParts;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Superpeer 0 of three, whose member starts again in its process: the members are in memory, and time is short. */
class RestartedLogTest {
    private static final long LIMIT_S = 60;
    private static final LeaseTerms TERMS = LeaseTerms.DEFAULT;
    private static final long AHEAD = 10 << 20;
    private static final String FULL = "the disk is full";
    private static final MachineState.Settings SETTINGS = new MachineState.Settings(3, 2);

    @TempDir
    private Path folder;

    private final MemoryLog cell = new MemoryLog(SETTINGS);
    private final SuperpeerLog leader = cell.member(true);
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger joined = new AtomicInteger();
    private volatile PartAnswer others = new PartAnswer(true, null);
    private volatile boolean hasLeader = true;
    private volatile boolean hasRoom = true;
    /** What the next copies do; returns whether they are whole. */
    private volatile BooleanSupplier copies = () -> false;
    /** Called before a member starts, with what it is. */
    private volatile Function<Member, Member> starts = member -> member;
    private @Nullable JoiningLog log;

    @AfterEach
    void close() {
        if (log != null) {
            log.close();
        }
    }

    /** A member that reads the cell's machine, or nothing yet. */
    private final class Member implements MemberLog {
        private final boolean isNewcomer;
        private final MetadataMachine nothing = new MetadataMachine(MachineState.initial(SETTINGS));
        private final AtomicInteger reads = new AtomicInteger();
        private volatile boolean hasAll = true;
        private volatile boolean isElecting;
        private volatile boolean isClosed;
        private volatile boolean needsRoom;
        /** Reads after which it has everything. */
        private volatile int readsUntilAll;

        Member(boolean isNewcomer) {
            this.isNewcomer = isNewcomer;
        }

        @Override
        public CompletableFuture<CommandReply> propose(Command command) {
            return cell.member(false).propose(command);
        }

        @Override
        public boolean isLeading() {
            return false;
        }

        @Override
        public boolean isElecting() {
            return isElecting;
        }

        @Override
        public boolean needsRoom() {
            return needsRoom;
        }

        @Override
        public @Nullable String failure() {
            return null;
        }

        @Override
        public long position() {
            return readsUntilAll == 0 ? 0 : reads.get() / 500;
        }

        @Override
        public <T> T read(Function<MetadataMachine, T> reader) {
            return hasAll && reads.incrementAndGet() > readsUntilAll ? leader.read(reader) : reader.apply(nothing);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private JoiningLog start() throws IOException {
        JoiningLog started = new JoiningLog(0, SETTINGS, new MemberFolder(folder), new LogMembers() {
            @Override
            public MemberLog start(boolean isNewcomer) {
                Member member = starts.apply(new Member(isNewcomer));
                members.add(member);
                return member;
            }

            @Override
            public boolean hasRoom() {
                return hasRoom;
            }

            @Override
            public boolean isOfFullDisk(Exception failure) {
                return failure.getMessage().equals(FULL);
            }

            @Override
            public boolean copy(int source, LogOrigin origin, BooleanSupplier isCancelled) {
                return copies.getAsBoolean();
            }
        }, Platform.SYSTEM.withClock(new ShortTime()));
        log = started;
        started.start();
        started.join(this::request);
        return started;
    }

    /** Time that passes as soon as a thread waits for it. */
    private static final class ShortTime implements Clock {
        private final AtomicLong nowNs = new AtomicLong();

        @Override
        public long nowNs() {
            return nowNs.get();
        }

        @Override
        public void park(Object blocker, long ns) {
            nowNs.addAndGet(Math.max(0, ns));
            LockSupport.parkNanos(blocker, 50_000);
        }
    }

    @SuppressWarnings("unchecked")                              // the type of the request says which answer it has
    private <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        if (!(request instanceof Command command)) {
            return (CompletableFuture<R>) CompletableFuture.completedFuture(others);
        }
        if (!hasLeader) {
            return (CompletableFuture<R>) CompletableFuture.completedFuture(CommandAnswer.NOT_LEADING);
        }
        commands.add(command);
        return (CompletableFuture<R>) leader.propose(command).thenApply(CommandAnswer::new);
    }

    private NodeRef addNode() {
        return ((CommandReply.Joined) leader.propose(new Command.Join(new UUID(1, joined.incrementAndGet()), 1, "",
            Roles.PEER)).join()).node();
    }

    private void write(String name) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the folder that of a member with a term. */
    private void writeVoter() {
        write("archive/archive.catalog");
        write("archive/0-0.rec");
        write("consensus/cluster-mark.dat");
        try (RecordingLog notes = new RecordingLog(folder.resolve("consensus").toFile(), true)) {
            notes.appendTerm(0, 0, 0, 5);
        }
    }

    private void deleteTheBeginning() {
        others = new PartAnswer(true, new LogOrigin(AHEAD, 0, List.of(),
            new LogOrigin.Snapshot(0, 0, AHEAD + 1, 5, 1, 2)));
    }

    private void await(BooleanSupplier condition) {
        Threads.await(LIMIT_S, () -> (log == null ? "" : log.waitsFor() + ' ' + log.failure()) + ' ' + members.size()
            + " members, " + commands, condition);
    }

    // ---- a superpeer that copies the log of another one ----

    /** By a promise beside its vote, two owners could serve a zone. */
    @Test
    void superpeer_thatCopiesTheLog_promisesNothingToANodeAgainstWhichItsVoteCounts() throws IOException {
        AtomicLong nowNs = new AtomicLong();
        writeVoter();
        JoiningLog joining = start();
        SuperpeerParts superpeer = new SuperpeerParts(0, 3, joining, TERMS, TERMS.promisedNs(), nowNs::get,
            Chance.SYSTEM, this::request);
        NodeRef silent = addNode();
        NodeRef speaker = addNode();
        cycles(superpeer, nowNs, 200, silent, speaker);
        assertTrue(superpeer.heartbeat(new Heartbeat(silent, 1)).isPromised());
        cycles(superpeer, nowNs, 200, speaker);
        assertTrue(commands.stream().anyMatch(command -> command instanceof Command.Vote vote
            && vote.node().equals(silent)), commands::toString);
        long life = leader.read(machine -> machine.life(0));

        starts = member -> {
            member.hasAll = false;                              // Aeron has not read the snapshot
            return member;
        };
        copies = () -> {
            write("archive/0-" + AHEAD + ".rec");
            return true;
        };
        deleteTheBeginning();
        await(() -> members.size() == 2);
        assertTrue(members.getFirst().isClosed);
        cycles(superpeer, nowNs, 10, speaker);
        assertTrue(superpeer.heartbeat(new Heartbeat(speaker, 1)).isAlive(), "it reads what it has read before");
        assertEquals(0, joining.restarts());

        members.get(1).hasAll = true;
        await(() -> joining.restarts() == 1);
        HeartbeatAnswer answer = superpeer.heartbeat(new Heartbeat(silent, 2));
        assertTrue(answer.isAlive());
        assertFalse(answer.isPromised(), "its vote counts");
        cycles(superpeer, nowNs, 10, speaker);
        assertTrue(leader.read(machine -> machine.life(0)) != life, "it begins another life");
        assertTrue(superpeer.heartbeat(new Heartbeat(silent, 3)).isPromised(), "the other life has not voted");
    }

    private static void cycles(SuperpeerParts superpeer, AtomicLong nowNs, int count, NodeRef... speakers) {
        for (int i = 0; i < count; i++) {
            nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
            for (NodeRef speaker : speakers) {
                superpeer.heartbeat(new Heartbeat(speaker, 1));
            }
            superpeer.cycle();
        }
    }

    /** With the new log beside the old notes, it could vote twice in a term. */
    @Test
    void copy_thatFailsWhileItIsPutInPlace_isPutInPlaceBeforeTheMemberStarts() throws IOException {
        writeVoter();
        JoiningLog joining = start();
        copies = () -> {
            for (String name : List.of("archive/archive.catalog", "archive/0-" + AHEAD + ".rec",
                "consensus/recording.log", "whole")) {
                write("copy/" + name);
            }
            others = new PartAnswer(true, null);
            return false;
        };
        AtomicInteger halves = new AtomicInteger();
        starts = member -> {
            halves.addAndGet(Files.exists(folder.resolve("copy")) ? 1 : 0);
            return member;
        };
        deleteTheBeginning();
        await(() -> members.size() == 2);
        assertEquals(0, halves.get(), "it has started beside a copy that waits to be moved");
        assertTrue(Files.exists(folder.resolve("archive/0-" + AHEAD + ".rec")));
        assertNull(joining.failure());
    }

    @Test
    void copy_thatLeavesNoLog_theSuperpeerEnds() throws IOException {
        writeVoter();
        JoiningLog joining = start();
        copies = () -> {
            try {
                Files.delete(folder.resolve("archive/archive.catalog"));
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        deleteTheBeginning();
        await(() -> joining.failure() != null);
        assertTrue(joining.failure().contains("has lost a part of its log"), joining.failure());
        assertEquals(1, members.size());
    }

    // ---- a superpeer without its disk ----

    @Test
    void newcomer_whoseLeaderIsLost_stops_andGoesOnWithWhatItHas_whenThereIsOne() throws IOException {
        starts = member -> {
            if (members.isEmpty()) {
                write("archive/0-0.rec");
                hasLeader = false;
                member.hasAll = false;
                member.isElecting = true;
            }
            return member;
        };
        JoiningLog joining = start();
        await(() -> members.size() == 1 && members.getFirst().isClosed);
        LockSupport.parkNanos(20_000_000);
        assertEquals(1, members.size(), "it waits for a leader of the others");
        assertTrue(Files.exists(folder.resolve("archive/0-0.rec")), "it keeps its log");
        assertTrue(Files.exists(folder.resolve("newcomer")));
        hasLeader = true;
        await(joining::isMember);
        assertEquals(List.of(true, true, false), members.stream().map(member -> member.isNewcomer).toList());
        assertEquals(1, commands.stream().distinct().count(), () -> "one life: " + commands);
        assertTrue(Files.exists(folder.resolve("archive/0-0.rec")));
    }

    @Test
    void newcomer_withoutProgress_beginsAnew_withAnEmptyFolder() throws IOException {
        AtomicReference<String> waits = new AtomicReference<>("");
        starts = member -> {
            if (members.isEmpty()) {
                write("archive/0-0.rec");
                member.hasAll = false;
            } else if (members.size() == 1) {
                waits.set((log == null ? "" : log.waitsFor()) + Files.exists(folder.resolve("archive/0-0.rec")));
            }
            return member;
        };
        JoiningLog joining = start();
        await(joining::isMember);
        assertEquals(3, members.size());
        assertTrue(waits.get().endsWith("attempt 2" + false), waits::get);
        assertEquals(2, commands.stream().distinct().count(), () -> "two lives: " + commands);
    }

    /** On a busy machine a long log takes longer than any limit. */
    @Test
    void newcomer_thatMakesProgress_hasAllTheTimeItNeeds() throws IOException {
        starts = member -> {
            member.readsUntilAll = 3_000;                       // three times the limit
            return member;
        };
        JoiningLog joining = start();
        await(joining::isMember);
        assertEquals(List.of(true, false), members.stream().map(member -> member.isNewcomer).toList());
        assertEquals(1, commands.stream().distinct().count(), () -> "one life: " + commands);
    }

    // ---- a superpeer whose disk is full ----

    @Test
    void member_thatEndsForAFullDisk_isClosedAndStartedAgain_whenThereIsRoom() throws IOException {
        AtomicLong nowNs = new AtomicLong();
        writeVoter();
        JoiningLog joining = start();
        SuperpeerParts superpeer = new SuperpeerParts(0, 3, joining, TERMS, TERMS.promisedNs(), nowNs::get,
            Chance.SYSTEM, this::request);
        NodeRef silent = addNode();
        NodeRef speaker = addNode();
        cycles(superpeer, nowNs, 10, silent, speaker);
        superpeer.table(new TableRequest(-1));
        hasRoom = false;
        members.getFirst().needsRoom = true;
        await(() -> members.getFirst().isClosed);
        commands.clear();
        cycles(superpeer, nowNs, 200, speaker);
        assertTrue(commands.isEmpty(), () -> "its machine is old: " + commands);
        assertThrows(IllegalStateException.class, () -> superpeer.table(new TableRequest(-1)),
            "clients are to ask another superpeer");
        assertEquals(1, members.size());
        assertNull(joining.failure());
        assertEquals("room on its disk", joining.waitsFor());

        AtomicInteger attempts = new AtomicInteger();
        starts = member -> {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException(FULL);          // others have taken the room
            }
            return member;
        };
        hasRoom = true;
        await(() -> members.size() == 2);
        await(() -> joining.waitsFor().isEmpty());
        await(() -> joining.restarts() == 1);
        assertEquals(3, attempts.get());
        superpeer.table(new TableRequest(-1));
        cycles(superpeer, nowNs, 400, speaker);
        assertTrue(commands.stream().anyMatch(Command.Vote.class::isInstance), commands::toString);
    }

    @Test
    void member_thatEndsForAFullDiskAndCannotStart_forAnotherReason_isAFailure() throws IOException {
        writeVoter();
        JoiningLog joining = start();
        starts = _ -> {
            throw new InternalError("a fault");
        };
        members.getFirst().needsRoom = true;
        await(() -> joining.failure() != null);
        assertTrue(joining.failure().contains("a fault"), joining.failure());
        assertTrue(members.getFirst().isClosed);
    }

    @Test
    void copy_onAFullDisk_theMemberStartsWhenThereIsRoom() throws IOException {
        writeVoter();
        final JoiningLog joining = start();
        copies = () -> {
            hasRoom = false;
            others = new PartAnswer(true, null);
            return false;
        };
        deleteTheBeginning();
        await(() -> joining.waitsFor().equals("room on its disk"));
        hasRoom = true;
        await(() -> members.size() == 2);
        assertNull(joining.failure());
    }

    // ---- a new cell ----

    /** Others that have started in the meantime would wait for a cell that this one cannot make alone. */
    @Test
    void founder_withoutATerm_saysThatItHasHadNoPart() throws IOException {
        others = new PartAnswer(false, null);
        JoiningLog joining = start();
        await(joining::isMember);
        assertFalse(joining.part().hasPart());
        writeVoter();
        assertTrue(joining.part().hasPart());
    }
}
