package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.config.Secret;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of one, which take many snapshots, and a copy of what they have kept. */
class LogBoundTest {
    private static final long LIMIT_S = 240;

    @TempDir
    private Path folder;

    private final List<AeronLog> logs = new ArrayList<>();

    @AfterEach
    void closeAll() {
        logs.forEach(AeronLog::close);
    }

    @Test
    void oneMember_withManyCommands_keepsTwoSnapshotsAndTheLogBehindThem() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AeronLog log = start(members);
        await("a leader", log::isLeading);
        for (int round = 0; round < 4; round++) {
            log.propose(join(round)).get(LIMIT_S, TimeUnit.SECONDS);
            LogFill.fill(log, 600);                             // more than a segment
        }
        Path member = folder.resolve("member-0");
        await("few segments and three snapshots",
            () -> LogFill.segments(member) <= 3 && LogFill.snapshots(member) >= 3);
        await("few recordings", () -> LogFill.recordings(member) <= 1 + 2 * LogKeeping.SNAPSHOTS + 2);
        MachineState before = log.read(MetadataMachine::state);
        assertEquals(4, before.nodes().size());
        log.close();
        AeronLog again = start(members);
        await("a leader", again::isLeading);
        assertEquals(before, again.read(MetadataMachine::state));
    }

    /** A process that ends while it deletes leaves files that its archive no longer knows. */
    @FullTier("thousands of commands until files are deleted; oneMember_withManyCommands_... shows the most of it")
    @Test
    void member_whoseProcessHasEndedWhileItDeleted_deletesTheRest() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AeronLog log = start(members);
        await("a leader", log::isLeading);
        Path member = folder.resolve("member-0");
        while (LogFill.firstSegment(member) == 0 || LogFill.recording(member, 1)) {
            LogFill.fill(log, 200);
        }
        long first = LogFill.firstSegment(member);
        log.close();
        Files.write(member.resolve("archive/0-0.rec"), new byte[1]);
        Files.write(member.resolve("archive/1-0.rec"), new byte[1]);
        MemberFolder files = new MemberFolder(member);
        assertTrue(Objects.requireNonNull(files.origin()).first() >= first, "the catalog counts, not the files");
        AeronLog again = start(members);
        await("a leader", again::isLeading);
        await("the deletion of the rest", () -> LogFill.firstSegment(member) >= first && !LogFill.recording(member, 1));
        int taken = LogFill.snapshots(member);
        LogFill.fill(again, 400);
        await("another snapshot", () -> LogFill.snapshots(member) > taken);
        await("few segments and recordings", () -> LogFill.segments(member) <= 3
            && LogFill.recordings(member) <= 1 + 2 * LogKeeping.SNAPSHOTS + 2);
    }

    @FullTier("12 s until an archive counts as silent; oneMember_whoseLogIsDamaged_fails_andSaysSo has a member that "
        + "fails")
    @Test
    void member_whoseArchiveGivesNoAnswer_saysSoInTime() throws Exception {
        CountDownLatch isOver = new CountDownLatch(1);
        MemberConfig config = config(FreePorts.members(1));
        AeronMember.Tuning tuning = new AeronMember.Tuning(1, TimeUnit.SECONDS.toNanos(2),
            () -> new StuckArchive(isOver));
        Starts.DRIVER.count();
        AeronLog log = AeronLog.start(config, false, tuning, Platform.SYSTEM, _ -> {});
        try {
            assertNull(log.failure());
            await("the failure", () -> log.failure() != null);
            assertTrue(log.failure().contains("archive in " + config.folder() + " gives no answer"), log::failure);
        } finally {
            isOver.countDown();
            log.close();
        }
    }

    /** An archive whose thread stands still, until it is over. */
    private record StuckArchive(CountDownLatch isOver) implements IdleStrategy {
        @Override
        public void idle(int workCount) {
            idle();
        }

        @Override
        public void idle() {
            try {
                isOver.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void reset() {}
    }

    @FullTier("thousands of commands and three drivers of Aeron; RestartedLogTest and MemberFolderTest have copies")
    @Test
    void copyOfARunningMember_withoutTheBeginningOfTheLog_startsWithEverything() throws Exception {
        List<MemberConfig.Member> free = FreePorts.members(2);
        MemberConfig.Member source = free.getFirst();
        AeronLog log = start(List.of(source));
        await("a leader", log::isLeading);
        Path member = folder.resolve("member-0");
        for (int round = 0; LogFill.firstSegment(member) == 0; round++) {
            log.propose(join(round)).get(LIMIT_S, TimeUnit.SECONDS);
            LogFill.fill(log, 200);
        }
        int taken = LogFill.snapshots(member);
        LogFill.fill(log, 400);
        await("another snapshot", () -> LogFill.snapshots(member) > taken); // with all nodes
        LogOrigin origin = origin(member);
        assertTrue(origin.first() > 0, origin::toString);

        MemberConfig.Member target = free.getLast();
        MemberConfig both = new MemberConfig(1, List.of(source, target), folder.resolve("member-1"),
            new MachineState.Settings(2, 2), SnapshotBound.ofCommands(200), Secret.NONE);
        MemberFolder copied = new MemberFolder(folder.resolve("member-1"));
        assertTrue(copied.isBehind(origin));                    // the source may delete more meanwhile
        await("a copy", () -> new AeronMembers(both, copied, 1, Platform.SYSTEM, NodeLog.NONE)
            .copy(0, origin(member), () -> false));
        assertEquals(MemberFolder.Part.VOTER, copied.part());
        assertTrue(Objects.requireNonNull(copied.origin()).snapshot().position() >= origin.snapshot().position());
        long first = Objects.requireNonNull(copied.origin()).first();
        assertTrue(first >= origin.first() && first <= Objects.requireNonNull(copied.origin()).snapshot().position(),
            () -> first + " of " + origin);
        MachineState before = log.read(MetadataMachine::state);

        Starts.DRIVER.count();
        AeronLog other = AeronLog.start(new MemberConfig(0, List.of(target), folder.resolve("member-1"),
            new MachineState.Settings(1, 2), SnapshotBound.ofCommands(200), Secret.NONE), 1, Platform.SYSTEM, _ -> {});
        logs.add(other);
        await("a leader", other::isLeading);
        assertEquals(before.nodes(), other.read(MetadataMachine::state).nodes());
        other.propose(join(1_000)).get(LIMIT_S, TimeUnit.SECONDS);
        assertEquals(before.nodes().size() + 1, other.read(MetadataMachine::state).nodes().size());
    }

    private MemberConfig config(List<MemberConfig.Member> members) {
        return new MemberConfig(0, members, folder.resolve("member-0"), new MachineState.Settings(members.size(), 2),
            SnapshotBound.ofCommands(200), Secret.NONE);
    }

    private AeronLog start(List<MemberConfig.Member> members) {
        Starts.DRIVER.count();
        AeronLog log = AeronLog.start(config(members), 1, Platform.SYSTEM, _ -> {});
        logs.add(log);
        return log;
    }

    private static Command join(int folder) {
        return new Command.Join(new UUID(1, folder), 1, "tcp:127.0.0.1:1", Roles.PEER);
    }

    private static void await(String what, BooleanSupplier condition) {
        Threads.await(LIMIT_S, () -> what, condition);
    }

    private static LogOrigin origin(Path member) {
        try {
            return Objects.requireNonNull(new MemberFolder(member).origin());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
