package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.config.Secret;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.engine.os.Platform;
import io.teff.test.kit.SmallDisk;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real members of Aeron Cluster in this process. */
class AeronLogTest {
    private static final long LIMIT_S = 60;
    private static final int DAMAGE_AT = 3_000;
    private static final CommandReply FIRST = new CommandReply.Joined(new NodeRef(16, 1));

    @TempDir
    private Path folder;

    private final List<AeronLog> logs = new ArrayList<>();

    @AfterEach
    void closeAll() {
        logs.forEach(AeronLog::close);
    }

    @Test
    void oneMember_appliesCommands_andHasThemAfterARestart() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AeronLog log = start(0, members);
        Threads.await("a leader", log::isLeading);
        for (int i = 0; i < 50; i++) {
            CommandReply reply = log.propose(join(i)).get(LIMIT_S, TimeUnit.SECONDS);
            assertEquals(16 + i, assertInstanceOf(CommandReply.Joined.class, reply).node().nid());
        }
        MachineState before = log.read(MetadataMachine::state);
        log.close();
        AeronLog again = start(0, members);
        Threads.await("a leader", again::isLeading);
        assertEquals(before, again.read(MetadataMachine::state));
    }

    /** The archive is asked for the same bytes again and again: without a count the member would do that for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200})
    void oneMember_whoseLogIsDamaged_fails_andSaysSo(int damaged) throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AeronLog log = start(0, members);
        Threads.await("a leader", log::isLeading);
        for (int i = 0; i < 50; i++) {
            log.propose(join(i)).get(LIMIT_S, TimeUnit.SECONDS);
        }
        assertNull(log.failure());
        log.close();
        damage(0, damaged);
        AeronLog again = start(0, members);
        Threads.await("a failure", () -> again.failure() != null);
        String failure = again.failure();
        assertTrue(failure.contains(" is damaged: ") && failure.contains("0-0.rec"), failure);
    }

    private void damage(int member, int bytes) throws IOException {
        Path segment = folder.resolve("member-" + member).resolve(MemberFiles.ARCHIVE).resolve("0-0.rec");
        byte[] content = Files.readAllBytes(segment);
        for (int i = DAMAGE_AT; i < DAMAGE_AT + bytes; i++) {
            content[i] = (byte) ~content[i];
        }
        Files.write(segment, content);
    }

    /** A member that reads the log from its begin meets the damage, by errors of the leader's archive. */
    @FullTier("three drivers of Aeron; oneMember_whoseLogIsDamaged_fails_andSaysSo has one")
    @Test
    void threeMembers_theLeadersLogIsDamaged_theLeaderFails_andNotTheOneThatReadsIt() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(3);
        start(0, members);
        start(1, members);
        for (int i = 0; i < 50; i++) {
            commit(join(i));
        }
        Threads.await("a snapshot", () -> logs.stream().anyMatch(AeronLog::snapshot));
        Threads.await("snapshots in the folders", () -> LogFill.snapshots(folder.resolve("member-0")) == 1
            && LogFill.snapshots(folder.resolve("member-1")) == 1);
        closeAll();
        logs.clear();
        damage(0, 1);
        damage(1, 1);
        start(0, members);
        start(1, members);
        AeronLog leader = awaitLeader();
        AtomicInteger errors = new AtomicInteger();
        Starts.DRIVER.count();
        AeronLog reader = AeronLog.start(config(2, members), 1, Platform.SYSTEM, _ -> errors.incrementAndGet());
        logs.add(reader);
        Threads.await("the failure of the leader", () -> leader.failure() != null);
        assertTrue(leader.failure().contains(" is damaged: "), leader.failure());
        Threads.await("errors of the leader's archive", () -> errors.get() > 20);
        assertNull(reader.failure());
    }

    @Test
    void oneMember_aLargeSnapshot_isRestored() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AeronLog log = start(0, members);
        Threads.await("a leader", log::isLeading);
        CommandReply.Joined joined = (CommandReply.Joined) log.propose(join(1)).get(LIMIT_S, TimeUnit.SECONDS);
        for (int i = 1; i <= 20; i++) {
            log.propose(new Command.NewZones(joined.node(), i, 1_000)).get(LIMIT_S, TimeUnit.SECONDS);
        }
        MachineState before = log.read(MetadataMachine::state);
        assertTrue(ProposalCodec.snapshot(before).length > 256 << 10, "larger than a term of the log");
        Threads.await("a snapshot", log::snapshot);
        Threads.await("a snapshot in the folder", () -> LogFill.snapshots(folder.resolve("member-0")) == 1);
        assertEquals(0, log.startedAt());
        log.propose(join(2)).get(LIMIT_S, TimeUnit.SECONDS);
        MachineState after = log.read(MetadataMachine::state);
        log.close();
        AeronLog again = start(0, members);
        Threads.await("a leader", again::isLeading);
        assertEquals(after, again.read(MetadataMachine::state));
        assertTrue(again.startedAt() > 0, "it has read the snapshot");
    }

    /** A write to a hole for which the disk has no room is an error of the JVM, which ends any thread of the member. */
    @Test
    void oneMember_filesMappedToMemory_haveNoHoles() throws Exception {
        Path zeros = Files.write(folder.resolve("zeros"), new byte[1 << 16]);
        assumeTrue(SmallDisk.roomOf(zeros) >= 1 << 16, "this file system keeps no zeros");
        AeronLog log = start(0, FreePorts.members(1));
        Threads.await("a leader", log::isLeading);
        Threads.await("a snapshot", log::snapshot);
        Threads.await("a snapshot in the folder", () -> LogFill.snapshots(folder.resolve("member-0")) == 1);
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder.resolve("member-0"))) {
            files = all.filter(Files::isRegularFile).toList();
        }
        int streams = 0;
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.endsWith(".rec")) {                       // which are written, not mapped
                long room = SmallDisk.roomOf(file);
                assertTrue(room >= Files.size(file), () -> file + " has " + room);
                streams += name.endsWith(".logbuffer") ? 1 : 0;
            }
        }
        assertTrue(streams > 0, "files of streams are among them");
    }

    @FullTier("8 s until a driver counts as ended; AeronDriverLossTest ends the driver below a network")
    @Test
    void oneMember_whoseDriverEnds_fails_andAnotherOneStartsInThisProcess() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        Starts.DRIVER.count();
        AeronLog log = AeronLog.start(config(0, members), 1, Platform.SYSTEM, _ -> {
            if (Thread.currentThread().getName().contains("driver-conductor") && mayEnd.compareAndSet(true, false)) {
                throw new InternalError("planted");
            }
        });
        logs.add(log);
        Threads.await("a leader", log::isLeading);
        MachineState before = log.read(MetadataMachine::state);
        Path streams = folder.resolve("member-0").resolve("driver").resolve("publications");
        mayEnd.set(true);
        Files.move(streams, streams.resolveSibling("moved"));   // the next stream cannot be made
        Threads.await("a snapshot", log::snapshot);
        Threads.await("the end", () -> log.failure() != null);
        assertFalse(log.needsRoom());
        log.close();
        AeronLog again = start(0, members);
        Threads.await("a leader", again::isLeading);
        assertEquals(before, again.read(MetadataMachine::state));
    }

    @Test
    void threeMembers_theLeaderEnds_anotherOneHasEverything() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(3);
        for (int i = 0; i < members.size(); i++) {
            start(i, members);
        }
        assertEquals(FIRST, commit(join(1)));
        Threads.await("a member that does not lead",
            () -> logs.stream().anyMatch(log -> !log.isLeading() && reply(log, join(1)) == null));
        AeronLog leader = awaitLeader();
        leader.close();
        logs.remove(leader);
        assertEquals(FIRST, commit(join(1)));
        assertEquals(1, awaitLeader().read(machine -> machine.nodesSince(-1)).size());
    }

    /** Commits a command. The leader may change on a busy machine; a command that is repeated changes nothing more. */
    private CommandReply commit(Command command) {
        CommandReply[] reply = new CommandReply[1];
        Threads.await("a reply", () -> {
            reply[0] = reply(awaitLeader(), command);
            return reply[0] != null;
        });
        return reply[0];
    }

    /** Returns the reply of a member to a command, or null if it does not lead. */
    private static CommandReply reply(AeronLog log, Command command) {
        try {
            return log.propose(command).orTimeout(LIMIT_S, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            assertInstanceOf(NotLeadingException.class, e.getCause());
            return null;
        }
    }

    private MemberConfig config(int number, List<MemberConfig.Member> members) {
        return new MemberConfig(number, members, folder.resolve("member-" + number),
            new MachineState.Settings(members.size(), 2), SnapshotBound.ofCommands(200), Secret.NONE);
    }

    private AeronLog start(int number, List<MemberConfig.Member> members) {
        MemberConfig config = config(number, members);
        Starts.DRIVER.count();
        AeronLog log = AeronLog.start(config, 1, Platform.SYSTEM, _ -> {});
        logs.add(log);
        return log;
    }

    private AeronLog awaitLeader() {
        AtomicReference<AeronLog> leader = new AtomicReference<>();
        Threads.await("a leader", () -> {
            leader.set(logs.stream().filter(AeronLog::isLeading).findFirst().orElse(null));
            return leader.get() != null;
        });
        return leader.get();
    }

    private static Command join(int folder) {
        return new Command.Join(new UUID(1, folder), 1, "tcp:127.0.0.1:1", Roles.PEER);
    }
}
