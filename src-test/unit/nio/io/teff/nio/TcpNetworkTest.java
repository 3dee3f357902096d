package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.test.net.EachTransport;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The contract of networks, over real sockets of this machine. */
final class TcpNetworkTest implements EachTransport, NetworkContract {
    /** All other transports have less in lower tiers than long. */
    private final TestNodes nodes = TestNodes.at("tcp:127.0.0.1:0", "tcp:127.0.0.1:1").thatEchoTheLongest();

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    @Test
    void addressesOfOthers_needASecret() {
        assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(1).listen("tcp:0.0.0.0:0").build()));
        assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(1).listen("udp:1").build()));
        assertThrows(IOException.class,
            () -> Network.open(NetworkConfig.builder(1).listen("tcp:127.0.0.1:x").build()));
    }
}
