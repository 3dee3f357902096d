package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.config.Secret;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Roles;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.SmallDisk;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a member whose disk is full ends so that it can be started again in the same process, at whatever moment the
 * disk becomes full.
 *
 * <p>Method: three members, each with a disk in memory. The leader's disk is filled after a number of commands that
 * the seed gives: in the middle of a snapshot, while a stream is made, at any place of the streams. Needs the right to
 * mount.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class MemberDiskTest {
    private static final int MEMBERS = 3;
    private static final int SEEDS = Form.size("seeds", 1, 4, 200);
    private static final int DISK_MB = 96;
    private static final int COMMANDS = 1_000;
    private static final int COMMANDS_PER_SNAPSHOT = 200;

    @TempDir
    private Path folder;

    @Test
    void disk_isFullAtAnyMoment_theMemberNeedsRoom_andStartsAgain() throws Exception {
        long first = Seed.first();
        for (long seed = first; seed < first + SEEDS; seed++) {
            String line = Seed.reproduce(MemberDiskTest.class, seed, "-Dseeds=1");
            try (Cluster cluster = new Cluster(folder.resolve("seed-" + seed))) {
                assumeTrue(cluster.isMounted(), "no right to mount file systems");
                cluster.fillAndFree(Seed.random(seed).nextInt(COMMANDS), line);
            }
        }
    }

    /** Members that are started and closed together. */
    private static final class Cluster implements AutoCloseable {
        private final List<SmallDisk> disks = new ArrayList<>();
        private final List<MemberConfig.Member> members = FreePorts.members(MEMBERS);
        private final List<AeronLog> logs = new ArrayList<>();

        Cluster(Path folder) throws IOException {
            for (int i = 0; i < MEMBERS; i++) {
                Optional<SmallDisk> disk = SmallDisk.mount(folder.resolveSibling(folder.getFileName() + "-" + i),
                    DISK_MB);
                disk.ifPresent(disks::add);
            }
        }

        boolean isMounted() {
            return disks.size() == MEMBERS;
        }

        void fillAndFree(int commands, String line) throws IOException {
            for (int i = 0; i < MEMBERS; i++) {
                logs.add(start(i));
            }
            int number = awaitLeader(line);
            AeronLog full = logs.get(number);
            propose(full, commands);
            disks.get(number).fill();
            Threads.await("the end of the member; " + line, () -> {
                for (AeronLog log : logs) {
                    var _ = log.propose(join(COMMANDS));        // its log may have ended
                }
                return full.needsRoom() || full.failure() != null;
            });
            assertNull(full.failure(), line);
            full.close();
            disks.get(number).free();
            logs.remove(full);
            propose(logs.get(awaitLeader(line)), 1);
            long version = logs.stream().mapToLong(MemberDiskTest::version).max().orElseThrow();
            AeronLog again = start(number);
            logs.add(again);
            Threads.await("version " + version + " after the start; " + line, () -> version(again) >= version);
            assertNull(again.failure(), line);
        }

        private AeronLog start(int number) {
            MemberConfig config = new MemberConfig(number, members, disks.get(number).folder().resolve("cell"),
                new MachineState.Settings(MEMBERS, 2), SnapshotBound.ofCommands(COMMANDS_PER_SNAPSHOT), Secret.NONE);
            Starts.DRIVER.count();
            return AeronLog.start(config, 1, Platform.SYSTEM, _ -> {});
        }

        private int awaitLeader(String line) {
            int[] leader = new int[1];
            Threads.await("a leader; " + line, () -> {
                leader[0] = logs.stream().map(AeronLog::isLeading).toList().indexOf(true);
                return leader[0] >= 0;
            });
            return leader[0];
        }

        @Override
        public void close() throws IOException {
            logs.forEach(AeronLog::close);
            for (SmallDisk disk : disks) {
                disk.close();
            }
        }
    }

    /** Has the first commands committed, or as many as the member leads for. */
    private static void propose(AeronLog leader, int commands) {
        List<CompletableFuture<CommandReply>> replies = new ArrayList<>();
        for (int i = 0; i < commands; i++) {
            replies.add(leader.propose(join(i)));
        }
        for (CompletableFuture<CommandReply> reply : replies) {
            try {
                reply.join();
            } catch (CompletionException e) {
                assertEquals(NotLeadingException.class, e.getCause().getClass());
            }
        }
    }

    private static long version(AeronLog log) {
        return log.read(MetadataMachine::version);
    }

    private static Command join(int folder) {
        return new Command.Join(new UUID(1, folder), 1, "tcp:127.0.0.1:1", Roles.PEER);
    }
}
