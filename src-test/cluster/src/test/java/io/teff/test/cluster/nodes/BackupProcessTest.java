package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the commands for backups end right, if they are killed in the middle and run again. Method: two clusters of
 * processes, one after the other, and commands as processes, which are killed by SIGKILL.
 */
@FullTier("a minute: two clusters of processes; BackupKillTest of the gate kills at each call, without processes")
@Tag("processes")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BackupProcessTest {
    private static final int CHUNKS = 120;
    private static final int CHUNK_BYTES = 300_000;

    @TempDir
    private Path folder;
    private CommandedCluster cluster;

    private void up(String name) throws Exception {
        cluster = new CommandedCluster(folder.resolve(name), LocalPorts.free());
        cluster.up("--peers", "2", "--backups", "1");
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    private ClusterStore connect() {
        String[] superpeers = new String[CommandedCluster.SUPERPEERS.size()];
        for (int i = 0; i < superpeers.length; i++) {
            superpeers[i] = "tcp:127.0.0.1:" + (cluster.port() + i);
        }
        return ClusterStore.connect(superpeers);
    }

    private static TreeMap<Long, ByteBuffer> content(ClusterStore of) {
        TreeMap<Long, ByteBuffer> content = new TreeMap<>();
        of.ids().forEach(cid -> content.put(cid, ByteBuffer.wrap(of.chunks().get(cid).orElseThrow())));
        return content;
    }

    /** Kills a command in the middle. */
    private void kill(BooleanSupplier middle, String... command) throws Exception {
        Process process = cluster.begin(command);
        try {
            CommandedCluster.await(() -> middle.getAsBoolean() || !process.isAlive(), "the middle");
        } finally {
            process.destroyForcibly();
            assertTrue(process.waitFor(CommandedCluster.PATIENCE_S, TimeUnit.SECONDS));
        }
        assertTrue(process.exitValue() != 0, "the command has ended before the kill: " + command[0]);
    }

    @Test
    void backupAndRestore_killedInTheMiddle_andRunAgain_haveTheBytesOfTheCluster() throws Exception {
        Path backup = folder.resolve("backup");
        Path work = folder.resolve("backup.unfinished");
        up("source");
        TreeMap<Long, ByteBuffer> expected;
        try (ClusterStore store = connect()) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < CHUNKS; i++) {
                byte[] content = new byte[CHUNK_BYTES];
                random.nextBytes(content);
                assertTrue(store.create(content) > 0);
            }
            store.map("map", Codecs.LONG, Codecs.LONG).put(1L, 2L);
            store.services().names().put("name", new byte[] {1});
            expected = content(store);
        }
        kill(() -> hasAFinishedZone(work), "backup", backup.toString());
        assertTrue(!Files.exists(backup) && Files.exists(work));
        cluster.succeed("backup", backup.toString());
        cluster.down();

        assertEquals(0, TeffCommand.here("cluster", "verify", backup.toString()).exitCode());
        up("target");
        try (ClusterStore store = connect()) {
            kill(() -> store.services().names().get("teff.restore").filter(entry -> !new String(entry.value(),
                StandardCharsets.UTF_8).endsWith(" 0")).isPresent(), "restore", backup.toString());
            cluster.fail("continue with --again", "restore", backup.toString());
            Result again = cluster.teff("restore", backup.toString(), "--again");
            assertEquals(0, again.exitCode(), again.errors());
            assertEquals(expected, content(store));
            assertEquals(2L, store.map("map", Codecs.LONG, Codecs.LONG).get(1L));
            assertEquals(1, store.services().names().list("", "").entries().size());
        }
        cluster.fail("names or locks of services, and no unfinished restore", "restore", backup.toString(), "--again");
    }

    private static boolean hasAFinishedZone(Path work) {
        try (var files = Files.list(work)) {
            return files.anyMatch(file -> file.getFileName().toString().matches("zone-[0-9]+"));
        } catch (IOException _) {
            return false;                                       // the command has not begun
        }
    }
}
