package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Commands that cannot be sent. */
class CellClientTest {
    @Test
    void send_throughANetworkThatRefusesIt_hasNoReply_andTheNextOneGoesToAnotherSuperpeer() throws IOException {
        Network network = Network.open(NetworkConfig.builder(77).addresses(_ -> null).build());
        network.close();
        CellClient client = new CellClient(network::request, () -> SuperpeerSet.of(3));
        assertNull(client.send(new Command.ZoneSought(1)).join(), "it does not throw: callers note what is under way");
        assertEquals(1, client.leading());
    }
}
