package io.teff.test.net;

import static io.teff.test.net.HostilePeer.CHECKED;
import static io.teff.test.net.HostilePeer.CONTROL;
import static io.teff.test.net.HostilePeer.FRAGMENT;
import static io.teff.test.net.HostilePeer.HEAD;
import static io.teff.test.net.HostilePeer.LAST;
import static io.teff.test.net.HostilePeer.MAC_END;
import static io.teff.test.net.HostilePeer.PROOF;
import static io.teff.test.net.HostilePeer.REQUEST;
import static io.teff.test.net.HostilePeer.RESPONSE;
import static io.teff.test.net.HostilePeer.REST;
import static io.teff.test.net.HostilePeer.SECRET;
import static io.teff.test.net.HostilePeer.SKIPPED;
import static io.teff.test.net.HostilePeer.VERSION;
import static io.teff.test.net.HostilePeer.WELCOME;
import static io.teff.test.net.HostilePeer.challenge;
import static io.teff.test.net.HostilePeer.closing;
import static io.teff.test.net.HostilePeer.frame;
import static io.teff.test.net.HostilePeer.greeting;
import static io.teff.test.net.HostilePeer.hello;
import static io.teff.test.net.HostilePeer.join;
import static io.teff.test.net.HostilePeer.progress;
import static io.teff.test.net.HostilePeer.proof;
import static io.teff.test.net.HostilePeer.turned;
import static io.teff.test.net.HostilePeer.with;
import static io.teff.test.net.HostilePeer.withMac;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.cluster.net.report.ConnectionStats.State;
import io.teff.test.kit.Lateness;
import io.teff.test.kit.Threads;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: wrong bytes end only the link that they arrive on, within its time limit; honest nodes continue, and an
 * unauthenticated peer changes no state.
 *
 * <p>Method: a peer that sends arbitrary bytes over plain sockets, to other transports than TCP by a {@link Relay}; and
 * three nodes, two of which talk to the attacked one all the time. The time limit of a greeting is a minute if a byte
 * must end the link, and short if silence must.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class HostileContract {
    /** Attempts at an attack on a machine whose dials take longer than the victim gives them. */
    private static final int LATE_MAX = 20;
    private static final int DIAL_LOOK_MS = 100;
    private static final long SECOND = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;
    private static final int NID = 50;
    private static final int MIB = 1 << 20;

    /** An attack, after which the link must end. */
    @FunctionalInterface
    public interface Attack {
        /** Runs the attack. */
        void run(HostilePeer peer) throws IOException;
    }

    /** {@return the address at which a node listens} */
    protected abstract String listenAt();

    private HostileNodes nodes(long greetingNs, long silenceNs) throws IOException {
        return new HostileNodes(listenAt(), greetingNs, silenceNs);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // ---- before the proof ----

    private static Attack bytes(byte[]... parts) {
        return peer -> peer.say(join(parts));
    }

    private static byte[] random(int count) {
        final byte[] bytes = new byte[count];
        new SplittableRandom(1).nextBytes(bytes);
        return bytes;
    }

    /** Returns what strangers say, to a node with NID 1. */
    public static Map<String, Attack> greetings() {
        final byte[] hello = hello(NID, 1, 1);
        final Map<String, Attack> all = new LinkedHashMap<>();
        all.put("negative length", bytes(with(hello, 3, 0x80)));
        all.put("length of 2 GiB", bytes(with(hello, 0, 0xFF, 0xFF, 0xFF, 0x7F)));
        all.put("length of 4 KiB and 1", bytes(with(hello, 0, 1, 0x10)));
        all.put("length of another message", bytes(with(hello, 0, 48)));
        all.put("length 0", bytes(new byte[HEAD]));
        all.put("unknown message", bytes(with(hello, 4, 6)));
        all.put("message 2^31", bytes(with(hello, 7, 0x80)));
        all.put("wrong magic", bytes(with(hello, HEAD, 't')));
        all.put("reserved byte", bytes(with(hello, HEAD + 31, 1)));
        all.put("versions in the wrong order", bytes(with(hello, HEAD + 8, VERSION + 1)));
        all.put("NID 65,535", bytes(hello(65_535, 1, 1)));
        all.put("HTTP", bytes(ascii("GET / HTTP/1.1\r\nHost: teff\r\n\r\n")));
        all.put("TLS", bytes(with(new byte[517], 0, 0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3)));
        all.put("SSH", bytes(ascii("SSH-2.0-OpenSSH_9.6\r\n")));
        all.put("random bytes", bytes(random(100_000)));
        all.put("zeros", bytes(new byte[MIB]));
        all.put("CHALLENGE", bytes(challenge(NID, VERSION, 0)));
        all.put("PROOF first", bytes(greeting(PROOF, new byte[64])));
        all.put("WELCOME first", bytes(greeting(WELCOME, new byte[64])));
        all.put("REFUSED first", bytes(HostilePeer.refused(7)));
        all.put("HELLO twice", bytes(hello, hello));
        all.put("a byte behind HELLO", bytes(hello, new byte[1]));
        all.put("HELLO a thousand times", peer -> {
            for (int i = 0; i < 1000; i++) {
                peer.say(hello);
            }
        });
        all.put("frame first", bytes(frame(0, 1, 0, 0, 0, 8)));
        all.put("frame after HELLO", bytes(hello, frame(0, 1, 0, 0, 0, 8)));
        all.put("HELLO and garbage", bytes(hello, random(50_000)));
        return all;
    }

    /** Returns wrong proofs, to a node with NID 1 and {@link HostilePeer#SECRET}. */
    public static Map<String, Attack> proofs() {
        final Map<String, Attack> all = new LinkedHashMap<>();
        all.put("PROOF of zeros", peer -> peer.greet(NID, 1).say(greeting(PROOF, new byte[64])));
        all.put("PROOF at once", bytes(hello(NID, 1, 1), greeting(PROOF, new byte[64])));
        all.put("wrong key", peer -> {
            peer.greet(NID, 1);
            peer.say(proof(PROOF, ascii("sixteen bytes aT"), peer.said, 1, 0, MIB, 0));
        });
        all.put("listener's proof", peer -> {
            peer.greet(NID, 1);
            peer.say(withMac("teff listener 1", SECRET, peer.said, greeting(PROOF, new byte[64])));
        });
        all.put("proof of other versions", peer -> {
            final byte[] hello = hello(NID, 1, 1);
            peer.say(hello);
            peer.said = join(with(hello, HEAD + 10, VERSION + 1), peer.hear());
            peer.say(proof(PROOF, SECRET, peer.said, 1, 0, MIB, 0));
        });
        all.put("proof of another incarnation", peer -> {
            peer.greet(NID, 1);
            peer.say(proof(PROOF, SECRET, with(peer.said, HEAD + 16, 2), 1, 0, MIB, 0));
        });
        for (int bit : new int[] {0, 100, 255, 256, 320, 391}) {
            all.put("bit " + bit + " behind the head", peer -> {
                peer.greet(NID, 1);
                peer.say(turned(proof(PROOF, SECRET, peer.said, 1, 64, MIB, 1), HEAD * Byte.SIZE + bit));
            });
        }
        all.put("mode 2", peer -> {
            peer.greet(NID, 1);
            peer.say(proof(PROOF, SECRET, peer.said, 1, 0, MIB, 2));
        });
        for (long received : new long[] {-8, 4, Long.MIN_VALUE}) {
            all.put("received " + received, peer -> {
                peer.greet(NID, 1);
                peer.say(proof(PROOF, SECRET, peer.said, 1, received, MIB, 1));
            });
        }
        all.put("negative limit", peer -> {
            peer.greet(NID, 1);
            peer.say(proof(PROOF, SECRET, peer.said, 1, 0, -1, 0));
        });
        all.put("second PROOF after a wrong one", peer -> {
            peer.greet(NID, 1);
            peer.say(join(greeting(PROOF, new byte[64]), proof(PROOF, SECRET, peer.said, 1, 0, MIB, 0)));
        });
        return all;
    }

    private static void run(HostileNodes nodes, String name, Attack attack) throws IOException {
        try (HostilePeer peer = HostilePeer.connect(nodes.port())) {
            attack.run(peer);
            peer.awaitCut(name);
        }
        nodes.goOn(name);
    }

    @Test
    void unauthenticatedPeers_areCutOffAndChangeNothing() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final Map<String, Attack> all = greetings();
            all.putAll(proofs());
            for (Map.Entry<String, Attack> it : all.entrySet()) {
                run(nodes, it.getKey(), it.getValue());
            }
            replays(nodes);
            final byte[] hello = hello(NID, 1, 1);
            for (int end = 0; end <= hello.length; end++) {
                try (HostilePeer peer = HostilePeer.connect(nodes.port())) {
                    peer.say(Arrays.copyOf(hello, end));
                }
            }
            for (int end = 0; end < HEAD + 64; end++) {
                try (HostilePeer peer = HostilePeer.connect(nodes.port()).greet(NID, 1)) {
                    peer.say(Arrays.copyOf(proof(PROOF, SECRET, peer.said, 1, 0, MIB, 0), end));
                    peer.socket.shutdownOutput();
                    peer.awaitCut("PROOF of " + end + " bytes");
                }
            }
            nodes.goOn("half greetings");
            assertTrue(all.size() >= 40, "" + all.size());
            assertEquals(Set.of(2, 3), nodes.ups);
            assertEquals(0, nodes.failures.get());
        }
    }

    /** Replays all bytes of an honest dialer, and those of the attacked node. */
    @SuppressWarnings("try")                                    // no socket listens any more
    private static void replays(HostileNodes nodes) throws IOException {
        final byte[] hello;
        final byte[] proof;
        try (HostilePeer honest = HostilePeer.connect(nodes.port()).greet(NID + 1, 1)) {
            hello = Arrays.copyOf(honest.said, HostilePeer.HELLO_BYTES);
            proof = proof(PROOF, SECRET, honest.said, 9, 0, MIB, 0);
        }
        run(nodes, "replay", peer -> {
            peer.say(hello);
            peer.hear();
            peer.say(proof);
        });
        try (ServerSocket trap = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            nodes.book.put(NID, nodes.trap(trap.getLocalPort()));
            CompletableFuture<byte[]> request;
            Socket socket;
            do {                                                // again, if this machine was late
                request = nodes.victim.request(NID, HostileNodes.ECHO, new byte[1]);
                socket = awaitDial(trap, request);
            } while (socket == null);
            try (HostilePeer dialed = new HostilePeer(socket)) {
                final byte[] own = dialed.hear();
                run(nodes, "own words", peer -> {
                    peer.say(own);
                    assertEquals(4, peer.hear()[HEAD]);
                });
            }
            trap.close();
            assertThrows(CompletionException.class, request::join);
        }
        nodes.book.remove(NID);
    }

    @Test
    void refusals_nameTheReason() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final byte[] hello = hello(NID, 1, 1);
            final Map<byte[], Integer> all = Map.of(with(hello, HEAD + 8, VERSION + 1, 0, VERSION + 2), 1,
                with(hello, HEAD + 8, 0, 0, 0), 1, hello(1, 1, 1), 4,
                hello(NID, 2, 1), 4, hello(NID, 65_535, 1), 4);
            for (Map.Entry<byte[], Integer> it : all.entrySet()) {
                run(nodes, "refusal " + it.getValue(), peer -> {
                    peer.say(it.getKey());
                    assertEquals(it.getValue().byteValue(), peer.hear()[HEAD]);
                });
            }
            assertEquals(Set.of(2, 3), nodes.ups);
        }
    }

    // ---- after the proof ----

    private static byte[] checked() {
        return with(frame(0, 1, 0, CHECKED, 0, 8), 12, 1, 2, 3, 4);
    }

    /** Returns frames that no node may send after its proof. */
    public static Map<String, byte[]> frames() {
        final byte[] right = frame(0, 1, 0, 0, 0, 8);
        final Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("length 0", new byte[64]);
        all.put("length 15", with(right, 0, 15));
        all.put("negative length", with(right, 3, 0x80));
        all.put("length of 128 KiB and 1", with(right, 0, 1, 0, 2));
        all.put("length of 2 GiB", with(right, 0, 0xFF, 0xFF, 0xFF, 0x7F));
        all.put("length without room for the head", with(frame(0, 1, 0, REQUEST, 1, 0), 0, 16));
        all.put("place too far", frame(8, 1, 0, 0, 0, 8));
        all.put("repeated frame", join(right, right));
        all.put("frames in another order", join(right, frame(48, 1, 0, 0, 0, 8), frame(24, 1, 0, 0, 0, 8)));
        all.put("request and response", frame(0, 1, 0, REQUEST | RESPONSE, 1, 8));
        all.put("failed, but no response", frame(0, 1, 0, 4, 1, 8));
        all.put("last of no fragments", frame(0, 1, 0, LAST, 1, 8));
        all.put("all flags", frame(0, 1, 0, 255, 1, 8));
        all.put("skipped in a lane", frame(0, 0, 1, SKIPPED, 0, 8));
        all.put("wrong checksum", checked());
        all.put("checksum that is not said", with(right, 12, 1));
        all.put("padding", with(frame(0, 1, 0, 0, 0, 5), 23, 1));
        all.put("short fragment", frame(0, 1, 0, FRAGMENT, 1, 1023));
        all.put("unknown control frame", frame(0, 3, 0, CONTROL, 0, 16));
        all.put("control frame 65,535", frame(0, 65_535, 0, CONTROL, 0, 16));
        all.put("PROGRESS of 8 bytes", frame(0, 1, 0, CONTROL, 0, 8));
        all.put("CLOSING of 16 bytes", frame(0, 2, 0, CONTROL, 0, 16));
        all.put("control frame with a place", frame(8, 1, 0, CONTROL, 0, 16));
        all.put("control frame in a lane", frame(0, 1, 9, CONTROL, 0, 16));
        all.put("acknowledge what was never sent", progress(8, MIB));
        all.put("acknowledge 2^62", progress(1L << 62, MIB));
        all.put("acknowledge -8", progress(-8, MIB));
        all.put("limit that goes back", progress(0, MIB - 1));
        all.put("limit of 2^63", progress(0, Long.MIN_VALUE));
        all.put("limits that go back", join(progress(0, Long.MAX_VALUE), progress(0, 2 * MIB)));
        all.put("HELLO again", hello(NID, 1, 1));
        all.put("garbage", random(100_000));
        all.put("frame and garbage", join(right, random(100_000)));
        all.put("frame after CLOSING", join(frame(0, 2, 0, CONTROL, 0, 2), right));
        all.put("CLOSING", frame(0, 2, 0, CONTROL, 0, 2));
        all.put("rest without agreement", closing(1));
        all.put("message that changes its type", join(frame(0, 8, 1, FRAGMENT, 1, 1024),
            frame(1048, 9, 1, FRAGMENT, 1, 1024)));
        all.put("message that changes its lane", join(frame(0, 8, 1, FRAGMENT, 1, 1024),
            frame(1048, 8, 2, FRAGMENT, 1, 1024)));
        all.put("message that ends with another type", join(frame(0, 8, 1, FRAGMENT, 1, 1024),
            frame(1048, 9, 1, FRAGMENT | LAST, 1, 1024)));
        all.put("message that ends in another lane", join(frame(0, 8, 1, FRAGMENT, 1, 1024),
            frame(1048, 8, 2, FRAGMENT | LAST, 1, 1024)));
        all.put("257 messages that have begun", endless(8, 257, true));
        return all;
    }

    /** Fragments without a last one, of one message or of many. */
    private static byte[] endless(int type, int count, boolean isOwn) {
        final int bytes = 1048;
        final byte[][] parts = new byte[count][];
        for (int i = 0; i < count; i++) {
            parts[i] = frame((long) i * bytes, type, 0, FRAGMENT, isOwn ? i : 1, bytes - 24);
        }
        return join(parts);
    }

    /** More than 1 GiB, of a type without a handler. */
    protected final void sendAMessageThatNeverEnds() throws IOException {
        final int bytes = 128 << 10;
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), NID)) {
                for (long i = 0; i < 9_000; i++) {
                    peer.say(frame(i * bytes, 7, 0, FRAGMENT, 1, bytes - 24));
                }
                peer.awaitCut("message that never ends");
            }
            nodes.goOn("message that never ends");
        }
    }

    @Test
    void authenticatedPeers_areCutOff() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final Map<String, byte[]> all = frames();
            int nid = NID;
            for (Map.Entry<String, byte[]> it : all.entrySet()) {
                try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid++)) {
                    peer.say(it.getValue());
                    peer.awaitCut(it.getKey());
                }
                nodes.goOn(it.getKey());
            }
            assertTrue(all.size() >= 40, "" + all.size());
            beyondTheWindow(nodes, nid);
            wrongPositions(nodes, nid + 1);
        }
    }

    /** There is always credit for one additional frame, but it is reserved for answers. */
    @Test
    void messagesInTheRoomOfAnswers_loseTheirSession() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            long at = 0;
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), NID)) {
                for (long limit = MIB; at < 16 * MIB;) {
                    final byte[] frame = frame(at, 9, 1, 0, 0, 60_000);
                    while (at + frame.length > limit) {
                        limit = peer.hearLimit();
                    }
                    peer.say(frame);
                    at += frame.length;
                }
            } catch (EOFException | SocketException e) {
                nodes.goOn("room of answers");
            }
            final long most = at;
            assertTrue(most > 3 * MIB && most < 4 * MIB, () -> "cut off after " + most);
            assertEquals(State.NONE, nodes.victim.stats(NID).state());
            nodes.slow.countDown();
        }
    }

    /** More than a window of unhandled messages. */
    private static void beyondTheWindow(HostileNodes nodes, int nid) throws IOException {
        try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid)) {
            try {
                for (int i = 0; i < 32; i++) {                  // one message beyond the window may be in progress
                    peer.say(frame((long) i << 17, 9, 3, 0, 0, (128 << 10) - 16));
                }
            } catch (IOException _) {
                return;                                         // it was cut off before all was said
            } finally {
                nodes.goOn("beyond the window");
            }
            peer.awaitCut("beyond the window");
        }
    }

    /** Wrong positions of a stream: inside of a frame, backward, and beyond its end; by PROGRESS and by PROOF. */
    private static void wrongPositions(HostileNodes nodes, int first) throws IOException {
        int nid = first;
        for (long received : new long[] {8, 16, 48, 24 - 8}) {
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid)) {
                nodes.victim.send(nid, HostileNodes.NUMBERS, 1L);
                peer.hearFrame();
                peer.say(progress(received, MIB));
                peer.awaitCut("received " + received);
            }
            nid++;
        }
        for (long received : new long[] {0, 16, 32, 1 << 30}) {
            acknowledged(nodes, nid, peer -> {
                peer.say(progress(received, MIB));
                peer.awaitCut("received goes to " + received);
            });
            acknowledged(nodes, nid + 1, _ -> { });
            try (HostilePeer peer = HostilePeer.connect(nodes.port()).greet(nid + 1, 1)) {
                peer.prove(nid + 1, received, MIB, 1);
                peer.awaitCut("resumed at " + received);
            }
            nid += 2;
        }
        nodes.goOn("wrong positions");
    }

    /** Creates a peer that has received and acknowledged a message. */
    private static void acknowledged(HostileNodes nodes, int nid, Attack then) throws IOException {
        try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid)) {
            nodes.victim.send(nid, HostileNodes.NUMBERS, 1L);
            peer.hearFrame();
            peer.say(progress(24, MIB));
            then.run(peer);
        }
    }

    @Test
    void sessionsOfOthers_areNotTaken() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            try (HostilePeer owner = HostilePeer.proved(nodes.port(), NID);
                 HostilePeer thief = HostilePeer.connect(nodes.port()).greet(NID + 1, 1)) {
                assertFalse(thief.prove(NID, 0, MIB, 1), "session of another node");
                owner.say(frame(0, 1, 0, 0, 0, 8));
                nodes.victim.send(NID, HostileNodes.NUMBERS, 1L);
                assertEquals(24, owner.hearFrame()[0]);
            }
            try (HostilePeer owner = HostilePeer.connect(nodes.port()).greet(NID, 1)) {
                assertTrue(owner.prove(NID, 0, MIB, 1), "its own session");
                assertEquals(24, owner.welcomed(40));
            }
            run(nodes, "earlier incarnation", peer -> {
                peer.greet(NID, 0);
                peer.say(proof(PROOF, SECRET, peer.said, NID, 0, MIB, 1));
                assertEquals(8, peer.hear()[HEAD]);
            });
            try (HostilePeer later = HostilePeer.connect(nodes.port()).greet(NID, 2)) {
                assertFalse(later.prove(NID, 0, MIB, 1), "session of an earlier incarnation");
            }
        }
    }

    /** A refused message must not count as received; a message that was not even read is requested again. */
    @Test
    void refusedMessages_endTheirSession_brokenFramesDoNot() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final byte[] right = frame(0, 1, 0, 0, 0, 8);
            final Map<byte[], Boolean> all = Map.of(join(frame(0, 8, 1, FRAGMENT, 1, 1024),
                frame(1048, 9, 1, FRAGMENT, 1, 1024)), false, join(frame(0, 2, 0, CONTROL, 0, 2), right), false,
                join(right, with(frame(24, 1, 0, 0, 0, 8), 12, 1)), true);
            int nid = NID;
            for (Map.Entry<byte[], Boolean> it : all.entrySet()) {
                nid++;
                try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid)) {
                    peer.say(it.getKey());
                    peer.awaitCut("refused");
                }
                try (HostilePeer peer = HostilePeer.connect(nodes.port()).greet(nid, 1)) {
                    assertEquals(it.getValue(), peer.prove(nid, 0, MIB, 1));
                    assertEquals(it.getValue() ? right.length : 0, peer.welcomed(40));
                }
            }
        }
    }

    /**
     * Only who has agreed may let a link rest, and only with nothing half said; all else is a link that was lost, or a
     * node that has closed.
     */
    @Test
    void wrongRest_isALostLink() throws IOException {
        final byte[] right = frame(0, 1, 0, 0, 0, 8);
        final byte[] begun = frame(0, 8, 1, FRAGMENT, 1, 1024);
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            assertEnd(nodes, NID, 0, State.AWAY, closing(1));
            assertEnd(nodes, NID + 1, REST, State.AWAY, begun, closing(1));
            assertEnd(nodes, NID + 2, REST, State.NONE, right, closing(0));
            assertEnd(nodes, NID + 3, REST, State.NONE, right, closing(2));
            assertEnd(nodes, NID + 4, REST, State.RESTING, right, closing(1));
            assertEnd(nodes, NID + 5, ~0, State.RESTING, right, closing(1), progress(0, 0), random(1000));
            assertEnd(nodes, NID + 6, REST, State.NONE, closing(1), right);
            nodes.goOn("rest");
        }
    }

    private static void assertEnd(HostileNodes nodes, int nid, int features, State state, byte[]... said)
        throws IOException {
        final byte[] all = join(said);
        try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid, features)) {
            peer.say(all);
            peer.awaitCut("rest");
        }
        Threads.await(60, () -> "node " + nid + ", which is " + nodes.victim.stats(nid).state(),
            () -> nodes.victim.stats(nid).state() == state);    // by way of others
        try (HostilePeer peer = HostilePeer.connect(nodes.port()).greet(nid, 1)) {
            assertEquals(state != State.NONE, peer.prove(nid, 0, MIB, 1), "node " + nid);
        }
    }

    @Test
    void unusualFrames_areHarmless() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final CompletableFuture<Long> late = nodes.victim.request(2, HostileNodes.LATE, 7L);
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), NID)) {
                long at = 0;
                final List<byte[]> all = new ArrayList<>();
                final List<Long> correlations = new ArrayList<>(List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE));
                for (long i = 1; i <= 1000; i++) {
                    correlations.add(i);
                }
                for (long correlation : correlations) {
                    all.add(frame(at, 10, 0, RESPONSE, correlation, 8));
                    all.add(frame(at + 32, 10, 0, RESPONSE | FRAGMENT | LAST, correlation, 8));
                    at += 64;
                }
                all.add(frame(at, 0, 255, 0, 0, 8));
                all.add(frame(at + 24, 65_535, 0, 0, 0, 8));
                all.add(frame(at + 48, 8, 0, FRAGMENT | LAST, 5, 0));
                all.add(frame(at + 72, 1, 0, 0, 0, 1));
                all.add(frame(at + 96, 0, 0, SKIPPED, 0, 8));
                all.add(frame(at + 120, 2, 0, REQUEST, 77, 8));
                for (int i = 0; i < 5; i++) {                   // too long, and without an end
                    all.add(frame(at + 152 + 1048 * i, 8, 0, FRAGMENT, 1, 1024));
                }
                for (byte[] it : all) {
                    for (byte one : it) {
                        peer.socket.getOutputStream().write(one);  // each byte alone
                    }
                }
                assertEquals(RESPONSE, peer.hearFrame()[11]);
                nodes.goOn("strange frames");
                assertFalse(late.isDone(), "answered by who was not asked");
            }
            assertEquals(2, nodes.unhandled.get());
            Threads.await("a failure", () -> nodes.failures.get() > 0);
            nodes.slow.countDown();
            assertEquals(7, late.join());
        }
    }

    // ---- dialed nodes that are hostile ----

    /** A node that does not answer in time is unreachable, and not refused: again, if this machine was late. */
    @Test
    void hostileListeners_areRefused() throws IOException {
        final Map<String, Attack> all = new LinkedHashMap<>();
        all.put("garbage", bytes(random(1000)));
        all.put("WELCOME first", bytes(greeting(WELCOME, new byte[64])));
        all.put("its own HELLO", peer -> peer.say(peer.hear()));
        all.put("version 0", bytes(challenge(NID, 0, 0)));
        all.put("a later version", bytes(challenge(NID, VERSION + 1, 0)));
        all.put("features that nobody offered", bytes(challenge(NID, VERSION, 2)));
        all.put("another node", bytes(challenge(NID + 1, VERSION, 0)));
        all.put("two CHALLENGEs", bytes(challenge(NID, VERSION, 0), challenge(NID, VERSION, 0)));
        all.put("no proof", bytes(challenge(NID, VERSION, 0), greeting(WELCOME, new byte[64])));
        all.put("the dialer's proof", peer -> {
            peer.hear();
            peer.say(challenge(NID, VERSION, 0));
            peer.say(with(peer.hear(), 4, WELCOME));
        });
        all.put("resumed without being asked", peer -> {
            final byte[] hello = peer.hear();
            final byte[] challenge = challenge(NID, VERSION, 0);
            peer.say(challenge);
            peer.say(proof(WELCOME, SECRET, join(hello, challenge, peer.hear()), 1, 0, MIB, 1));
        });
        all.put("refusal 65,535", bytes(HostilePeer.refused(65_535)));
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            for (Map.Entry<String, Attack> it : all.entrySet()) {
                int late = 0;
                while (!isRefused(nodes, it.getKey(), it.getValue())) {
                    assertTrue(++late < LATE_MAX, it.getKey() + ": the machine is too busy for a dial in time");
                }
                nodes.goOn(it.getKey());
            }
            assertEquals(Set.of(2, 3), nodes.ups);
        }
    }

    /** Returns false if the victim could not know in time that the attack was one: it had given up the node before. */
    @SuppressWarnings("try")                                    // no socket listens any more
    private static boolean isRefused(HostileNodes nodes, String what, Attack attack) throws IOException {
        try (ServerSocket trap = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            nodes.book.put(NID, nodes.trap(trap.getLocalPort()));
            final long beginNs = System.nanoTime();
            final CompletableFuture<byte[]> request = nodes.victim.request(NID, HostileNodes.ECHO, new byte[1]);
            final Socket dialed = awaitDial(trap, request);
            if (dialed == null) {
                assertEquals(Reason.UNREACHABLE, failure(request, what).reason(), what);
                return false;
            }
            try (HostilePeer peer = new HostilePeer(dialed)) {
                attack.run(peer);
                final boolean isProofDue = Set.of("no proof", "two CHALLENGEs").contains(what);
                final int heard = peer.awaitCut(what);
                assertTrue(isProofDue || heard < HostilePeer.HELLO_BYTES + HEAD + 64, what + ": a proof was said");
            }
            final boolean isInTime = System.nanoTime() - beginNs < HostileNodes.REACH_NS;
            final NetworkException thrown = failure(request, what);
            final Reason reason = thrown.reason();
            assertTrue(reason == Reason.REFUSED || reason == Reason.UNREACHABLE && !isInTime,
                () -> what + ": " + thrown);
            return reason == Reason.REFUSED;
        }
    }

    private static NetworkException failure(CompletableFuture<byte[]> request, String what) {
        final var thrown = assertThrows(CompletionException.class, request::join, what);
        return (NetworkException) thrown.getCause();
    }

    /** Returns the socket that a node has dialed, or null if the node has given the request up before. */
    private static @Nullable Socket awaitDial(ServerSocket trap, CompletableFuture<byte[]> request) throws IOException {
        trap.setSoTimeout(DIAL_LOOK_MS);
        while (true) {
            final boolean isOver = request.isDone();            // before the look
            try {
                return trap.accept();
            } catch (SocketTimeoutException _) {
                if (isOver) {
                    return null;
                }
            }
        }
    }

    /** The dials of a node whose links end at once are spaced by growing delays. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void linksThatEndAtOnce_areMadeMoreAndMoreRarely(boolean isToRest) throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND);
             ServerSocket trap = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            nodes.book.put(NID, nodes.trap(trap.getLocalPort()));
            nodes.victim.send(NID, HostileNodes.NUMBERS, 1L);
            final long start = System.nanoTime();
            for (int link = 0; link < 8; link++) {
                try (HostilePeer peer = new HostilePeer(trap.accept())) {
                    final byte[] hello = peer.hear();
                    final byte[] challenge = challenge(NID, VERSION, REST);
                    peer.say(challenge);
                    final byte[] offered = peer.hear();
                    peer.say(join(proof(WELCOME, SECRET, join(hello, challenge, offered), 1, 0, MIB,
                        offered[HEAD + 56]), isToRest ? closing(1) : new byte[0]));
                }
            }
            awaitLinksEnded(nodes.victim, isToRest, 8);
            assertTrue(System.nanoTime() - start > 500 * MILLISECOND, "dialed again and again");
            nodes.goOn("links that end at once");
        }
    }

    /** Waits until as many links have ended, and checks in which of the two ways. */
    private static void awaitLinksEnded(Network victim, boolean isToRest, int count) {
        Threads.await("the end of " + count + " links",
            () -> victim.stats().linksRested() + victim.stats().linksLost() >= count);
        final NetworkStats stats = victim.stats();
        assertEquals(count, isToRest ? stats.linksRested() : stats.linksLost(), stats::toString);
    }

    /** A peer that promises to dial again and again and never does, faster than a node counts as unreachable. */
    @Test
    void promisesToDial_areBelievedOnce() throws Exception {
        Lateness.retried(() -> {
            try (ServerSocket trap = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                 Relay relay = new Relay(listenAt())) {
                promise(trap, relay.trap(trap.getLocalPort()));
            }
        });
    }

    private static void promise(ServerSocket trap, String address) throws IOException {
        try (Network victim = Network.open(NetworkConfig.builder(1).secret(SECRET).addresses(_ -> address).build())) {
            trap.setSoTimeout(100);
            final var request = victim.request(NID, HostileNodes.ECHO, new byte[1], 30 * SECOND);
            int dials = 0;
            while (!request.isDone()) {
                try (HostilePeer peer = new HostilePeer(trap.accept())) {
                    peer.hear();
                    peer.say(HostilePeer.refused(5));
                    dials++;
                } catch (SocketTimeoutException e) {
                    continue;                                   // not dialed now, or no more
                }
            }
            final var thrown = assertThrows(ExecutionException.class, request::get);
            assertEquals(Reason.UNREACHABLE, ((NetworkException) thrown.getCause()).reason());
            assertTrue(dials > 5, dials + " dials");
        }
    }

    @Test
    void addressesThatFailAtOnce_areUnreachable() throws IOException {
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            nodes.book.put(NID, listenAt().substring(0, listenAt().indexOf(':')) + ":255.255.255.255:1");
            final var request = nodes.victim.request(NID, HostileNodes.ECHO, new byte[1]);
            final var thrown = assertThrows(ExecutionException.class, () -> request.get(60, TimeUnit.SECONDS));
            assertEquals(Reason.UNREACHABLE, ((NetworkException) thrown.getCause()).reason());
            nodes.goOn("an address that fails at once");
        }
    }

    // ---- time and number ----

    /** Peers that are not silent are cut off, too, if this machine is late: then again. */
    @Test
    void silentPeers_areCutOffInTime() throws Exception {
        Lateness.retried(this::cutOffSilentPeers);
    }

    private void cutOffSilentPeers() throws IOException {
        final long limitNs = 500 * MILLISECOND;
        try (HostileNodes nodes = nodes(limitNs, 2 * SECOND)) {
            final byte[] hello = hello(NID, 1, 1);
            final long start = System.nanoTime();
            final List<HostilePeer> silent = new ArrayList<>();
            for (int bytes : new int[] {0, 1, HEAD - 1, HEAD, 50, hello.length - 1, hello.length}) {
                final HostilePeer peer = HostilePeer.connect(nodes.port());
                peer.say(Arrays.copyOf(hello, bytes));
                silent.add(peer);
            }
            final HostilePeer half = HostilePeer.connect(nodes.port()).greet(NID, 1);
            half.say(Arrays.copyOf(proof(PROOF, SECRET, half.said, 1, 0, MIB, 0), MAC_END));
            silent.add(half);
            for (HostilePeer peer : silent) {
                peer.awaitCut("silence");
                peer.close();
            }
            assertTrue(System.nanoTime() - start >= limitNs, "cut off too early");
            try (HostilePeer peer = HostilePeer.connect(nodes.port())) {
                int said = 0;
                do {
                    peer.say(new byte[] {hello[said++]});
                } while (said < hello.length && !isEnded(peer)); // waits for 100 ms
                assertTrue(said < hello.length, "a byte now and then");
            }
            nodes.goOn("silence");
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), NID)) {
                peer.awaitCut("silence after the proof");
            }
            nodes.goOn("silence after the proof");
            assertEquals(Set.of(2, 3, NID), nodes.ups);
        }
    }

    private static boolean isEnded(HostilePeer peer) throws IOException {
        peer.socket.setSoTimeout(100);
        try {
            return peer.socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (SocketException _) {
            return true;                                        // a reset
        }
    }

    @Test
    void halfOpenLinks_areLimited() throws IOException {
        final int most = 256;
        final int more = 100;
        try (HostileNodes nodes = nodes(60 * SECOND, 60 * SECOND)) {
            final List<HostilePeer> peers = new ArrayList<>();
            for (int i = 0; i < most + more; i++) {
                final HostilePeer peer = HostilePeer.connect(nodes.port());
                peer.say(Arrays.copyOf(hello(NID, 1, 1), i % HostilePeer.HELLO_BYTES));
                peers.add(peer);
            }
            for (HostilePeer peer : peers.subList(0, more)) {
                peer.awaitCut("the oldest");
            }
            HostilePeer.proved(nodes.port(), NID).close();      // takes the place of one more for a moment
            peers.get(more).awaitCut("the oldest");
            for (HostilePeer peer : peers.subList(most, most + more)) {
                peer.say(Arrays.copyOfRange(hello(NID, 1, 1), peers.indexOf(peer) % HostilePeer.HELLO_BYTES,
                    HostilePeer.HELLO_BYTES));
                assertEquals(HostilePeer.CHALLENGE, peer.hear()[4], "one of the newest");
            }
            nodes.goOn("half-open links");
            for (HostilePeer peer : peers) {
                peer.close();
            }
            try (Socket last = new Socket(InetAddress.getLoopbackAddress(), nodes.port())) {
                assertTrue(last.isConnected());
            }
            assertEquals(Set.of(2, 3, NID), nodes.ups);
        }
    }
}
