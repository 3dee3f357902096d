package io.teff.test.rdma.guest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import io.teff.test.net.EachTransport;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The contract of networks over {@code verbs:}, between the devices at the two ends of the cable. The last class of
 * all, and the cut is its last test: a software device whose connection manager has sent while the cable was cut
 * accepts no connections from then on.
 */
@Order(Integer.MAX_VALUE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class NetworkInGuest implements EachTransport, NetworkContract {
    private static final byte[] SECRET = "sixteen bytes of".getBytes(US_ASCII);
    private static final long SILENCE_NS = 1_000_000_000;
    private static final long AWAY_NS = 60_000_000_000L;

    /** An address that other machines may reach needs a secret. */
    private final TestNodes nodes = TestNodes.of(
        nid -> "verbs:" + (nid % 2 == 0 ? Guest.leftAddress() : Guest.rightAddress()) + ":0",
        "verbs:" + Guest.leftAddress() + ":1").with(it -> it.secret(SECRET));

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    @Override
    @Test
    public void addressThatIsTaken_cannotBeListenedAt() throws IOException {
        try (Network one = nodes.open(nodes.config(1))) {
            final NetworkConfig same = NetworkConfig.builder(2).listen(one.addresses().getFirst()).secret(SECRET)
                .build();
            assertThrows(BindException.class, () -> Network.open(same));
        }
    }

    /** The cable is cut for longer than a link may be silent: the session goes on over the next link. */
    @Test
    @Order(Integer.MAX_VALUE)
    void cutCable_sessionGoesOnOverTheNextLink() throws Exception {
        final RequestType<Long, Long> squares = RequestType.of(3, Codecs.LONG, Codecs.LONG);
        try (Network one = nodes.open(nodes.config(1).silenceNs(SILENCE_NS).awayNs(AWAY_NS));
             Network two = nodes.open(nodes.config(2).silenceNs(SILENCE_NS).awayNs(AWAY_NS))) {
            two.answer(squares, (from, number) -> number * number);
            assertEquals(49, one.call(2, squares, 7L));
            Guest.command("ip", "link", "set", "veth0", "down");
            final CompletableFuture<Long> waiting;
            try {
                waiting = one.request(2, squares, 9L);
                Threads.await("the end of the link", () -> one.stats().linksLost() > 0);
            } finally {
                Guest.command("ip", "link", "set", "veth0", "up");
                Guest.command("bash", "-c", "ip route replace 10.99.0.2 dev veth0 src 10.99.0.1 table 100;"
                    + " ip route replace 10.99.0.1 dev veth1 src 10.99.0.2 table 101");
            }
            assertEquals(81, waiting.join());
            assertEquals(0, one.stats().sessionsLost());
            assertTrue(one.stats().sessionsResumed() > 0);
        }
    }
}
