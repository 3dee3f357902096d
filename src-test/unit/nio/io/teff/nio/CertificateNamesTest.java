package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a node whose NID needs a name gets a link only with a certificate of this name, and each side says why not.
 *
 * <p>Method: networks over TLS; NIDs below 16 need a name, which one of two trusted certificates has.
 */
final class CertificateNamesTest {
    private static final TlsKeys NAMED = TlsKeys.make("-ext", "san=dns:other.example,uri:teff:superpeer");
    private static final TlsKeys PLAIN = TlsKeys.make("-ext", "san=dns:teff,uri:teff:superpeer.of.others");
    private static final CertificateName NAME = new CertificateName("teff:superpeer");
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(9, Codecs.BYTES, Codecs.BYTES);
    private static final int FIRST = 16;
    private static final String LACKS =
        "a node with NID 1 needs a certificate with the name teff:superpeer, and the certificate of CN=node lacks";
    private static final String REFUSED =
        "the other node refuses the link: a certificate lacks the name that its node needs";

    private final TestNodes nodes = TestNodes.at("tcp:127.0.0.1:0", "tcp:127.0.0.1:1");
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final NetworkListener listener = new NetworkListener() {
        @Override
        public void refused(int nid, String peer, String why) {
            told.add(nid + " " + why);
        }
    };

    private NetworkConfig.Builder config(int nid, TlsKeys keys) {
        return nodes.config(nid).tls(keys.trusting(NAMED, PLAIN)).listener(listener)
            .certificateNames(other -> other < FIRST ? NAME : null);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        Network network = nodes.open(config);
        network.answer(ECHO, (_, bytes) -> bytes);
        return network;
    }

    private static String misfit(Network from, int to) {
        var future = from.request(to, ECHO, new byte[1]);
        var thrown = assertThrows(CompletionException.class, future::join);
        assertEquals(Reason.MISFIT, ((NetworkException) thrown.getCause()).reason(), thrown::toString);
        return thrown.getMessage();
    }

    private void awaitTold(String text) {
        Threads.await(30, told::toString, () -> told.stream().anyMatch(line -> line.contains(text)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void caller_withoutTheName_isRefused_andBothSidesSayWhy(int agents) throws Exception {
        try (Network node = open(config(20, PLAIN).agents(agents));
             Network superpeer = open(config(2, NAMED)); Network other = open(config(21, PLAIN))) {
            assertEquals(1, superpeer.call(20, ECHO, new byte[1]).length);
            assertEquals(2, other.call(20, ECHO, new byte[2]).length);
            for (int nid : new int[] {1, 4, 5}) {               // of different agents
                try (Network thief = open(config(nid, PLAIN))) {
                    String thrown = misfit(thief, 20);
                    assertTrue(thrown.contains(REFUSED), thrown);
                }
            }
            awaitTold("1 this node refuses the link: " + LACKS);
            assertEquals(1, superpeer.call(20, ECHO, new byte[1]).length);  // the links may have rested meanwhile
            assertEquals(2, other.call(20, ECHO, new byte[2]).length);
            assertEquals(0, node.stats().sessionsLost());
        }
    }

    @Test
    void calledNode_withoutTheName_isRefused_beforeItGetsAProof() throws Exception {
        try (Network thief = open(config(1, PLAIN)); Network node = open(config(20, PLAIN))) {
            String thrown = misfit(node, 1);
            assertTrue(thrown.contains("this node refuses the link: " + LACKS), thrown);
            awaitTold("20 " + REFUSED);
            assertEquals(0, thief.stats().linksOpen());
        }
    }

    /** A later process replaces an earlier process with the same NID, if the later process may have the NID. */
    @Test
    void thief_ofANidInUse_endsNeitherLinkNorSession() throws Exception {
        try (Network node = open(config(20, PLAIN)); Network superpeer = open(config(1, NAMED))) {
            assertEquals(1, superpeer.call(20, ECHO, new byte[1]).length);
            try (Network thief = open(config(1, PLAIN))) {
                assertTrue(misfit(thief, 20).contains(REFUSED));
            }
            assertEquals(1, superpeer.call(20, ECHO, new byte[1]).length);
            assertEquals(0, node.stats().sessionsLost());
            assertEquals(0, node.stats().linksLost());
            assertEquals(1, superpeer.stats().linksMade());
        }
    }

    @Test
    void linkWithoutTls_provesNoName() throws Exception {
        try (Network node = open(nodes.config(20).listener(listener).certificateNames(_ -> NAME));
             Network superpeer = open(nodes.config(1))) {
            assertTrue(misfit(superpeer, 20).contains(REFUSED));
            assertTrue(misfit(node, 1).contains("and the link has no TLS"));
        }
    }

    @Test
    void texts_thatAreNoNames_areRefused() {
        for (String good : new String[] {"teff", "a.b-c.example", "teff:superpeer", "spiffe://example/teff?x=1"}) {
            assertTrue(CertificateName.isName(good), good);
        }
        for (String bad : new String[] {"", ".", "a..b", "-a", "*.example", "a b", "teff: superpeer", ":x", "a:",
            "x".repeat(256), "\u00fc.example"}) {
            assertThrows(IllegalArgumentException.class, () -> new CertificateName(bad), bad);
        }
    }
}
