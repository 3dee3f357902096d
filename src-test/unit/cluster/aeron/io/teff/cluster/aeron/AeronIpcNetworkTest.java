package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.net.NetworkContract;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The contract of networks, over memory shared between processes. */
final class AeronIpcNetworkTest extends NetworkContract {
    @Override
    protected String listenAt(int nid) {
        return "aeron:ipc";
    }

    @Override
    protected String nobody() {
        return "aeron:ipc?stream=7";
    }

    @Test
    void severalAgents_cannotListen() {
        final IOException thrown = assertThrows(IOException.class, () -> open(config(1).agents(2)));
        assertTrue(String.valueOf(thrown.getMessage()).contains("other agents"), thrown::toString);
    }
}
