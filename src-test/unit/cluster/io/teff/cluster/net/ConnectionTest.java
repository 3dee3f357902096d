package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: the agent does not look away from what nobody will tell it of again. */
final class ConnectionTest {
    private Node node;
    private Connection connection;
    private Session session;

    @BeforeEach
    void begin() throws IOException {
        node = new Network(NetworkConfig.builder(1).handlers(Runnable::run).build(), () -> 0, () -> 1,
            List.of(new Transports(Map.of(), false)), 1).node();
        connection = node.connection(2);
        session = connection.session();
    }

    @Test
    void pause_nothingIsToBeDone_looksAway() {
        node.activate(connection);
        assertTrue(connection.pause());
    }

    @Test
    void pause_muchWasHandledSinceTheAgentLooked_goesOn() {
        node.activate(connection);
        session.consumed(node.config().windowBytes() / 2);      // who handles it sees that the agent looks
        assertEquals(0, node.idleNs(), "the agent has it in its list");
        assertFalse(connection.pause(), "the other side may wait for credit, and nothing else will come");
    }
}
