package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What differs between transports, over memory shared between processes. */
final class AeronIpcNetworkTest implements EachTransport {
    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at("aeron:ipc", "aeron:ipc?stream=7");
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    @Test
    void severalAgents_cannotListen() {
        final IOException thrown = assertThrows(IOException.class, () -> nodes.open(nodes.config(1).agents(2)));
        assertTrue(String.valueOf(thrown.getMessage()).contains("other agents"), thrown::toString);
    }
}
