package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.stream.Delivery;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: the agent keeps looking at conditions that are never signalled again, and survives any exception of a dial. */
final class ConnectionTest {
    private static final int STEPS_MAX = 10_000;

    private Agent node;
    private Connection connection;
    private Session session;

    @BeforeEach
    void begin() throws IOException {
        node = NetworkAccess.agent(NetworkAccess.make(
            NetworkConfig.builder(1).handlers(Runnable::run).build(), () -> 0, () -> 1,
            List.of(new Transports(Map.of(), false)), 1));
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
        session.consumed(node.config().windowBytes() / 2);      // its handler checks that the agent polls
        assertEquals(0, node.idleNs(), "the agent has it in its list");
        assertFalse(connection.pause(), "the other side may wait for credit, and nothing else will come");
    }

    /** The remaining parts may be written only later, and must leave over the same link. */
    @Test
    void session_aMessageHasBegun_isNotAtRest() throws ProtocolException {
        assertFalse(session.isAtRest(), "the other side may not know it");
        assertTrue(session.begin(1, new Greeting.Proof(true, new byte[Greeting.MAC_BYTES], session.id(), 0, 0, false)));
        assertTrue(session.isAtRest());
        for (boolean isAnswer : new boolean[] {false, true}) {
            assertTrue(session.beginFragments(isAnswer));
            assertFalse(session.isAtRest());
            session.endFragments(isAnswer);
            assertTrue(session.isAtRest());
        }
        final Delivery part = new Delivery(node.dispatcher());
        part.set(session, 1, 0, Frame.FRAGMENT, 1, 0);
        session.fragments().add(part, node.dispatcher().unwanted(session, part));
        assertFalse(session.isAtRest());
        session.fragments().remove(part);
        assertTrue(session.isAtRest());
    }

    @Test
    void dial_whoseTransportThrows_endsInUnreachable() throws IOException {
        final long[] now = new long[1];
        final RequestType<Integer, Integer> type = RequestType.of(1, Codecs.INT, Codecs.INT);
        final NetworkConfig config = NetworkConfig.builder(1).handlers(Runnable::run).addresses(_ -> "bad:x").build();
        final Network network = NetworkAccess.make(config, () -> now[0], () -> 1,
            List.of(new Transports(Map.of("bad", BadTransport::new), false)), 1);
        final CompletableFuture<Integer> answer = network.request(2, type, 3);
        for (int i = 0; i < STEPS_MAX && !answer.isDone(); i++) {
            now[0] += config.tickNs();
            NetworkAccess.agent(network).doWork();
        }
        final var thrown = assertThrows(CompletionException.class, answer::join);
        assertTrue(thrown.getCause() instanceof NetworkException it && it.reason() == Reason.UNREACHABLE
            && it.what().contains("planned"), thrown::toString);
    }

    /** A faulty transport. */
    private static final class BadTransport implements Transport {
        @Override
        public String listen(String address, Acceptor acceptor) {
            throw new UnsupportedOperationException("planned");
        }

        @Override
        public boolean isLocal(String address) {
            return true;
        }

        @Override
        public Link connect(String address, LinkEvents events) {
            throw new IllegalStateException("planned");
        }

        @Override
        public int poll() {
            return 0;
        }

        @Override
        public void await(long timeoutNs) {}

        @Override
        public void wakeUp() {}

        @Override
        public void close() {}
    }
}
