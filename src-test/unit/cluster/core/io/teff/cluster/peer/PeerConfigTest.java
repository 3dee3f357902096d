package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.ship.ShipRing;
import io.teff.engine.os.Clock;
import io.teff.recovery.backup.RunWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which configurations of peers and clients are refused, and with which texts. */
class PeerConfigTest {
    private static final PeerConfig CONFIG = PeerConfig.of(Path.of("data"), "tcp:127.0.0.1:1", List.of("tcp:a:1"));

    private static String refusal(int ring, int log) {
        return assertThrows(IllegalArgumentException.class, () -> CONFIG.withBytes(1 << 30, ring, log)).getMessage();
    }

    @Test
    void rings_inWhichAChunkOfOneMebibyteHasNoRoom_areRefused_namedWithTheLeast() {
        assertTrue(refusal(4 << 20, 16 << 20).startsWith("ringBytes=4194304 is no power of two from 8388608 to "));
        assertTrue(refusal(8 << 20, 8 << 20).startsWith("logBytes=8388608 is no power of two from 16777216 to "));
        assertTrue(refusal(9 << 20, 16 << 20).startsWith("ringBytes=9437184 is no power of two"));
        CONFIG.withBytes(1 << 30, 8 << 20, 16 << 20);
    }

    @Test
    void smallestRings_takeAChunkOfOneMebibyte() {
        ShipRing ring = new ShipRing(PeerConfig.RING_BYTES_MIN, Clock.SYSTEM);
        assertTrue(ring.recordBytesMax(1) >= RunWriter.CONTENT_BYTES_MAX);
        assertEquals(1 << 24, PeerConfig.LOG_BYTES_MIN, "the size at which BackupLogTest appends the longest run");
    }

    @Test
    void superpeers_haveOneLimit_forPeersClientsAndTheCell() {
        List<String> most = Collections.nCopies(Settings.SUPERPEERS_MAX, "tcp:127.0.0.1:7400");
        List<String> tooMany = Collections.nCopies(Settings.SUPERPEERS_MAX + 1, "tcp:127.0.0.1:7400");
        PeerConfig.of(Path.of("data"), "tcp:127.0.0.1:1", most);
        ClientConfig.builder(most.toArray(String[]::new));
        assertEquals(2, new Settings(Settings.SUPERPEERS_MAX, 2).backups());
        assertThrows(IllegalArgumentException.class, () -> PeerConfig.of(Path.of("data"), "tcp:127.0.0.1:1", tooMany));
        assertThrows(IllegalArgumentException.class, () -> ClientConfig.builder(tooMany.toArray(String[]::new)));
        assertThrows(IllegalArgumentException.class, () -> new Settings(Settings.SUPERPEERS_MAX + 1, 2));
    }
}
