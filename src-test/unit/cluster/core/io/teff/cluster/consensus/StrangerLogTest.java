package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.TimeoutException;
import io.teff.cluster.config.Secret;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a program that is no superpeer gets nothing from a member, and nothing in the log ends a member for good.
 * Method: a real member, and the clients of Aeron that a stranger would use.
 */
class StrangerLogTest {
    private static final long LIMIT_S = 60;
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final Secret SECRET = Secret.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

    @TempDir
    private Path folder;

    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private AeronLog log;

    @AfterEach
    void close() {
        log.close();
    }

    private MemberConfig config(List<MemberConfig.Member> members) {
        return new MemberConfig(0, members, folder.resolve("member"), new MachineState.Settings(1, 2),
            SnapshotBound.ofCommands(200), SECRET);
    }

    private void start(List<MemberConfig.Member> members) {
        Starts.DRIVER.count();
        log = AeronLog.start(config(members), 1, Platform.SYSTEM, failure -> told.add(String.valueOf(
            failure.getMessage())));
        Threads.await("a leader", log::isLeading);
    }

    private CommandReply propose(int number, String address) throws Exception {
        return log.propose(new Command.Join(new UUID(1, number), 1, address, Roles.PEER)).get(LIMIT_S,
            TimeUnit.SECONDS);
    }

    private long told(String begin) {
        return told.stream().filter(text -> text.startsWith(begin)).count();
    }

    /** The way of this user's own programs: they can enter the folder of the member. */
    @Test
    void garbage_thatWasCommitted_isSkippedAndNamed_nowAndAtTheNextStart() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        start(members);
        propose(1, "");
        Random random = new Random(7);
        try (AeronCluster stranger = AeronCluster.connect(new AeronCluster.Context()
            .aeronDirectoryName(AeronMember.driverFolder(config(members).folder()))
            .ingressChannel(AeronMember.SMALL_IPC).egressChannel(AeronMember.SMALL_IPC))) {
            for (int length : new int[] {0, 1, 31, 64, 4_000}) {
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                Threads.await("room", () -> stranger.offer(new UnsafeBuffer(garbage), 0, length) > 0);
            }
            Threads.await("all lines", () -> told("skips the record behind position ") == 5);
        }
        propose(2, "");
        assertNull(log.failure());
        MachineState before = log.read(MetadataMachine::state);
        assertEquals(2, before.nodes().size());
        log.close();
        start(members);
        assertEquals(before, log.read(MetadataMachine::state));
        assertEquals(10, told("skips the record behind position "), told::toString);
        propose(3, "");
    }

    @Test
    void stranger_withoutTheSecret_getsNoSessionAndNoRecordings() throws Exception {
        List<MemberConfig.Member> members = FreePorts.members(1);
        start(members);
        MemberConfig.Member member = members.getFirst();
        String driver = folder.resolve("stranger").toString();
        Starts.DRIVER.count();
        try (MediaDriver _ = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(driver)
            .threadingMode(ThreadingMode.SHARED).publicationTermBufferLength(1 << 16).dirDeleteOnShutdown(true))) {
            assertThrows(TimeoutException.class, () -> AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(driver).ingressChannel("aeron:udp").ingressEndpoints("0=" + member.endpoint(0))
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0").messageTimeoutNs(TIMEOUT_NS)));
            assertEquals(0, told("a datagram"), "the port of the ingress drops all");
            assertThrows(TimeoutException.class, () -> AeronArchive.connect(new AeronArchive.Context()
                .aeronDirectoryName(driver).controlRequestChannel("aeron:udp?endpoint=" + member.endpoint(4))
                .controlResponseChannel("aeron:udp?endpoint=127.0.0.1:0").messageTimeoutNs(TIMEOUT_NS)));
        }
        assertEquals(1, told("a datagram at the ports of consensus is not from a superpeer"), told::toString);
        propose(1, "");
    }

    @Test
    void folderOfAMember_isClosedToOtherUsers() throws Exception {
        Path member = Files.createDirectories(folder.resolve("member"));
        if (member.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(member, PosixFilePermissions.fromString("rwxrwxrwx"));
            start(FreePorts.members(1));
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(member)));
        } else {
            start(FreePorts.members(1));
        }
    }

    /** A proposal that Aeron does not take would keep all later proposals waiting. */
    @Test
    void proposal_longerThanAMessage_isRefused_andTheNextOneIsMade() throws Exception {
        start(FreePorts.members(1));
        CommandReply reply = propose(1, "x".repeat(20_000));
        assertTrue(assertInstanceOf(CommandReply.Refused.class, reply).isFinal());
        assertInstanceOf(CommandReply.Joined.class, propose(2, "x".repeat(AeronMember.PROPOSAL_BYTES_MAX - 200)));
    }
}
