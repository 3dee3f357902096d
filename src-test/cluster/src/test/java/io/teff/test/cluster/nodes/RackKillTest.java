package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.ClusterStore;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: all peers of a rack are killed at once, and nothing is lost; the status names zones whose copies share a rack
 * afterwards, and a rebalance moves their backups into different racks. Method: three superpeers and six peers in three
 * racks as processes, and the commands.
 */
@FullTier("a minute: nine processes, of which two are killed; ClusterSimulationTest kills racks of models")
@Tag("processes")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RackKillTest {
    private static final int CHUNKS = 3_000;
    private static final int CHUNK_BYTES = 64;
    private static final int UNFINISHED = 3;
    private static final int REBALANCES_MAX = 10;

    @TempDir
    private Path folder;
    private CommandedCluster cluster;

    @BeforeEach
    void up() throws Exception {
        cluster = new CommandedCluster(folder.resolve("cluster"), LocalPorts.free());
        cluster.up("--peers", "6", "--racks", "3");
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    private Map<?, ?> zones() {
        try {
            return (Map<?, ?>) cluster.status().get("zones");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns whether all zones are served with both backups. */
    private boolean isWhole() {
        Map<?, ?> zones = zones();
        Map<?, ?> states = (Map<?, ?>) zones.get("byState");
        int served = ((Number) states.get("open")).intValue() + ((Number) states.get("full")).intValue();
        return served > 0 && served == ((Number) zones.get("count")).intValue()
            && ((Map<?, ?>) zones.get("byBackups")).keySet().stream().allMatch(count -> Integer.parseInt(
                String.valueOf(count)) >= 2);
    }

    private int sharing() {
        return ((List<?>) zones().get("sharingRacks")).size();
    }

    private static byte[] read(ClusterStore store, long cid) {
        byte[] content = new byte[CHUNK_BYTES];
        assertEquals(0, store.getBytes(cid, 0, content, 0, CHUNK_BYTES));
        return content;
    }

    private static byte[] content(int number) {
        return ByteBuffer.allocate(CHUNK_BYTES).putInt(number).array();
    }

    @Test
    void wholeRack_thatIsKilled_losesNothing_andStatusNamesZonesThatShareARack() throws Exception {
        String[] superpeers = new String[CommandedCluster.SUPERPEERS.size()];
        for (int i = 0; i < superpeers.length; i++) {
            superpeers[i] = "tcp:127.0.0.1:" + (cluster.port() + i);
        }
        CommandedCluster.await(this::isWhole, "backups of all zones");
        assertEquals(3, ((Map<?, ?>) cluster.status().get("racks")).size());
        assertEquals(0, sharing(), "each zone is in three racks");
        try (ClusterStore store = ClusterStore.connect(superpeers)) {
            Map<Long, byte[]> contents = new LinkedHashMap<>();
            for (int i = 0; i < CHUNKS; i++) {
                contents.put(store.create(content(i)), content(i));
            }
            cluster.succeed("kill", "peer-2");
            cluster.succeed("kill", "peer-5");
            for (Map.Entry<Long, byte[]> each : contents.entrySet()) {
                assertArrayEquals(each.getValue(), read(store, each.getKey()));
            }
            CommandedCluster.await(this::isWhole, "new backups of all zones");
            assertTrue(sharing() > 0, "three copies in two racks");
            Result text = cluster.teff("status");
            assertTrue(text.output().contains("3 copies need as many racks, and there are 2"), text.output());
            cluster.succeed("start", "peer-2");
            cluster.succeed("start", "peer-5");
            rebalance();
            CommandedCluster.await(this::isWhole, "backups of all zones again");
            assertEquals(0, sharing(), () -> cluster.teff("status").output());
            for (Map.Entry<Long, byte[]> each : contents.entrySet()) {
                assertArrayEquals(each.getValue(), read(store, each.getKey()));
            }
        }
    }

    /** Peers claim zones of their own accord meanwhile, so moves of the command may be refused. */
    private void rebalance() throws IOException {
        Result plan = cluster.teff("rebalance", "--dry-run", "--look", "1", "--json");
        assertEquals(0, plan.exitCode(), plan.errors());
        List<?> backups = (List<?>) JSON.std.mapFrom(plan.output()).get("backups");
        assertTrue(!backups.isEmpty(), plan.output());
        Result result = cluster.teff("rebalance", "--look", "1", "--json", "--timeout", "240");
        for (int i = 0; i < REBALANCES_MAX && (result.exitCode() == UNFINISHED || sharing() > 0); i++) {
            result = cluster.teff("rebalance", "--look", "1", "--json", "--timeout", "240");
        }
        assertEquals(0, result.exitCode(), result.output() + result.errors());
        System.out.println(backups.size() + " backups were planned to move; at the end " + result.output());
    }
}
