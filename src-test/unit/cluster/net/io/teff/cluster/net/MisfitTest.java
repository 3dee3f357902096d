package io.teff.cluster.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.agent.Channel;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Lateness;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: if two nodes do not match (codecs, lengths, secrets, or an invalid address), both get a reason that names the
 * mismatch, and nothing else is affected.
 *
 * <p>Method: two networks with their own threads, within the process, one of which is configured wrongly. Messages are
 * of one frame (8 bytes), collected from several (40,000), and read as they arrive (400,000).
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MisfitTest {
    private static final long PATIENCE_S = 60;
    private static final long HOUR = 3_600_000_000_000L;
    /** Long enough for a refusal on a busy machine: a dial goes on until it is over. */
    private static final long REACH_NS = 1_000_000_000;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final byte[] SECRET = "sixteen bytes at".getBytes(US_ASCII);
    private static final Codec<long[]> LONGS = Codecs.of(long[].class);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final int PLAIN = 1;
    private static final int ASKED = 2;

    /** An array, followed by another field. */
    record Longer(long[] longs, int more) {}

    private final String name = "loop:misfit-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();

    private final class Told implements NetworkListener {
        @Override
        public void failed(int nid, int type, Throwable thrown) {
            told.add(thrown);
        }

        @Override
        public void refused(int nid, String peer, String why) {
            told.add(nid + " " + why);
        }

        @Override
        public void away(int nid, @Nullable Throwable why) {
            told.add("away " + why);
        }
    }

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get).listener(new Told());
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        network.answer(SQUARES, (from, number) -> number * number);
        return network;
    }

    private Object told() throws InterruptedException {
        final Object next = told.poll(PATIENCE_S, TimeUnit.SECONDS);
        return next == null ? "nothing was told" : next;
    }

    private static void assertMalformed(Object what) {
        assertInstanceOf(MalformedException.class, what, what::toString);
    }

    private void assertGoesOn(Network one, Network two) throws InterruptedException {
        assertEquals(9, one.call(two.nid(), SQUARES, 3L));
        assertNull(one.agent().connection(two.nid()).lastEnd());
        assertNull(two.agent().connection(one.nid()).lastEnd());
    }

    // ---- codecs ----

    private static <Q, R> String failure(Network one, RequestType<Q, R> type, Q request) {
        final NetworkException thrown = assertThrows(NetworkException.class, () -> one.call(2, type, request));
        assertEquals(Reason.FAILED, thrown.reason(), thrown.toString());
        return thrown.getMessage() + " " + thrown.getCause();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000, 50_000})
    void bytesThatACodecDoesNotRead_areSaidToBeThere(int length) throws IOException, InterruptedException {
        final AtomicInteger handled = new AtomicInteger();
        final Codec<Longer> longer = Codecs.of(Longer.class);
        final Longer message = new Longer(new long[length], 1);
        try (Network two = open(config(2)); Network one = open(config(1))) {
            two.handle(MessageType.of(PLAIN, LONGS), (from, longs) -> handled.incrementAndGet());
            two.answer(RequestType.of(ASKED, LONGS, Codecs.LONG), (from, longs) -> (long) handled.incrementAndGet());
            for (int i = 0; i < 10; i++) {
                one.send(2, i % 2, MessageType.of(PLAIN, longer), message);
                assertMalformed(told());
                final String why = failure(one, RequestType.of(ASKED, longer, Codecs.LONG), message);
                assertTrue(why.contains("Malformed"), why);
                assertMalformed(told());
            }
            assertGoesOn(one, two);
        }
        assertEquals(0, handled.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000, 50_000})
    void bytesOfAnAnswerThatACodecDoesNotRead_areSaidToBeThere(int length) throws IOException, InterruptedException {
        final Longer answer = new Longer(new long[length], 1);
        try (Network two = open(config(2)); Network one = open(config(1))) {
            two.answer(RequestType.of(ASKED, Codecs.LONG, Codecs.of(Longer.class)), (from, number) -> answer);
            for (int i = 0; i < 10; i++) {
                final String why = failure(one, RequestType.of(ASKED, Codecs.LONG, LONGS), 1L);
                assertTrue(why.contains("cannot be read") && why.contains("Malformed"), why);
            }
            assertGoesOn(one, two);
        }
    }

    // ---- lengths ----

    @ParameterizedTest
    @ValueSource(ints = {16, 10_000, 40_000, 400_000, 4_000_000})
    void messageThatOnlyItsReceiverFindsTooLong_fails(int bytes) throws IOException, InterruptedException {
        final AtomicInteger handled = new AtomicInteger();
        for (Codec<?> codec : new Codec<?>[] {Codecs.BYTES, LONGS}) {
            assertTooLong(bytes, codec, handled);
        }
        assertEquals(0, handled.get());
    }

    @SuppressWarnings("unchecked")
    private <T> void assertTooLong(int bytes, Codec<T> codec, AtomicInteger handled)
        throws IOException, InterruptedException {
        final T message = (T) (codec.equals(Codecs.BYTES) ? new byte[bytes] : new long[bytes / Long.BYTES]);
        final MessageType<T> small = new MessageType<>(ASKED, codec, bytes - Long.BYTES);
        final MessageType<Long> number = MessageType.of(ASKED, Codecs.LONG);
        try (Network two = open(config(2)); Network one = open(config(1))) {
            two.handle(new MessageType<>(PLAIN, codec, bytes - Long.BYTES), (from, its) -> handled.incrementAndGet());
            two.answer(new RequestType<>(small, MessageType.of(ASKED, codec)), (from, its) -> its);
            for (int i = 0; i < 3; i++) {
                one.send(2, i, MessageType.of(PLAIN, codec), message);
                assertMalformed(told());
                final String why = failure(one, new RequestType<>(MessageType.of(ASKED, codec), number), message);
                assertTooLong(why);
                assertMalformed(told());
            }
            one.answer(new RequestType<>(number, MessageType.of(ASKED, codec)), (from, its) -> message);
            final NetworkException thrown = assertThrows(NetworkException.class,
                () -> two.call(1, new RequestType<>(number, small), 1L));
            assertEquals(Reason.FAILED, thrown.reason());
            assertTooLong(String.valueOf(thrown.getCause()));
            assertGoesOn(one, two);
        }
    }

    /** A codec that reads incrementally may detect the excess first. */
    private static void assertTooLong(String why) {
        assertTrue(why.contains("allows for its type") || why.contains("can follow"), why);
    }

    // ---- identity of the peer ----

    private static Throwable failure(Network one, int nid, Reason reason) throws Exception {
        final ExecutionException thrown = assertThrows(ExecutionException.class,
            () -> one.request(nid, SQUARES, 1L).get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(reason, assertInstanceOf(NetworkException.class, thrown.getCause()).reason());
        return thrown.getCause();
    }

    /** A node that does not answer in time is unreachable, and not refused: again, if this machine was late. */
    private void retried(Lateness.Check check) throws Exception {
        Lateness.retried(() -> {
            told.clear();
            check.run();
        });
    }

    /** Not after the time allowed for a silent node, which is an hour here. */
    @ParameterizedTest
    @ValueSource(strings = {"", "sixteen bytes at\n", "another sixteen bytes"})
    void otherSecret_isReportedToBothAtOnce(String secret) throws Exception {
        final String text = "they have different secrets, or one of them has none: all nodes and clients need the same "
            + "secret";
        try (Network two = open(config(2).secret(SECRET));
             Network one = Network.open(NetworkConfig.builder(1).secret(secret.getBytes(US_ASCII))
                 .addresses(book::get).reachNs(HOUR).build())) {
            for (int i = 0; i < 3; i++) {
                final String why = String.valueOf(failure(one, 2, Reason.MISFIT).getMessage());
                assertEquals("node 2: at " + name + "2: the other node refuses the link: " + text + "; this node has "
                    + (secret.isEmpty() ? "no secret" : "a secret of " + secret.length() + " bytes"), why);
                assertEquals("1 this node refuses the link: " + text, told());
            }
            assertEquals(0, two.stats().linksOpen());
        }
    }

    @Test
    void secretOfTheDialerOnly_isReportedAtOnce() throws Exception {
        try (Network two = open(config(2)); Network one = Network.open(NetworkConfig.builder(1).secret(SECRET)
                .addresses(book::get).reachNs(HOUR).build())) {
            final String why = String.valueOf(failure(one, 2, Reason.MISFIT).getMessage());
            assertTrue(why.endsWith("this node has a secret of 16 bytes"), why);
            assertEquals(0, two.stats().linksOpen());
        }
    }

    @Test
    void otherNidAndOtherCluster_areReportedToBoth() throws Exception {
        retried(this::reportOtherNidAndOtherCluster);
    }

    private void reportOtherNidAndOtherCluster() throws Exception {
        ClusterId own = new ClusterId(2, 2, "orders");
        try (Network two = open(config(2).cluster(own)); Network one = open(config(1).cluster(own).reachNs(REACH_NS));
             Network far = open(config(4).cluster(new ClusterId(1, 2, "")).reachNs(HOUR))) {
            book.put(3, name + 2);
            String why = "the caller looks for another node than the one at this address";
            assertTrue(String.valueOf(failure(one, 3, Reason.REFUSED).getMessage()).contains(why));
            assertTrue(told.contains("1 this node refuses the link: " + why), told::toString);
            assertTrue(told.contains("3 the other node refuses the link: " + why), told::toString);
            assertTrue(String.valueOf(failure(far, 2, Reason.MISFIT).getMessage()).contains("it is of " + own
                + ", expected cluster 00000000000000010000000000000002: the cluster was founded anew"));
            assertTrue(told.toString().contains("4 this node refuses the link: it is of cluster"
                + " 00000000000000010000000000000002, expected " + own), told::toString);
            assertGoesOn(one, two);
        }
    }

    /** Fails before the time allowed for a silent node has elapsed. */
    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:7000", "tpc:localhost:7000", "aeron:tcp", "aeron:udp?endpoint=localhost",
        "aeron:ipc?stream=x", "loop"})
    void invalidAddress_isUnreachableAtOnce(String address) throws Exception {
        book.put(7, address);
        try (Network two = open(config(2)); Network one = open(config(1).reachNs(HOUR))) {
            final String why = String.valueOf(failure(one, 7, Reason.UNREACHABLE).getMessage());
            assertTrue(why.contains(address), why);
            assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(9).listen(address).build()));
            assertGoesOn(one, two);
        }
    }

    /** The address book is wrong for a moment; an existing session continues. */
    @Test
    void addressThatGoesWrong_endsNoSession() throws Exception {
        final AtomicInteger wrong = new AtomicInteger();
        try (Network two = open(config(2).addresses(_ -> null));
             Network one = open(config(1).addresses(nid -> wrong.getAndDecrement() > 0 ? "nowhere" : book.get(nid)))) {
            two.handleShort(MessageType.of(PLAIN, Codecs.BYTES), (from, bytes) -> {
                wrong.set(2);
                final Channel channel = two.agent().connection(1).channel();
                if (channel != null) {
                    channel.fail(new IOException("planned"));
                }
            });
            one.send(2, MessageType.of(PLAIN, Codecs.BYTES), new byte[1]);
            assertEquals(Set.of("away java.io.IOException: planned",
                "away java.io.EOFException: the other side has closed the link"), Set.of(told(), told()));
            assertGoesOn(one, two);
            assertTrue(wrong.get() < 0, "it was not asked");
        }
    }

    /** If two processes have the same NID, the one that started later is accepted. */
    @Test
    void olderIncarnation_isRefusedWithAReason() throws Exception {
        retried(this::refuseOlderIncarnation);
    }

    private void refuseOlderIncarnation() throws Exception {
        try (Network two = open(config(2)); Network older = open(config(1).reachNs(REACH_NS))) {
            final long now = System.currentTimeMillis();
            Threads.await("the next incarnation", () -> System.currentTimeMillis() != now);
            try (Network later = open(NetworkConfig.builder(1).listen(name + "later").addresses(book::get))) {
                assertGoesOn(later, two);
                assertTrue(String.valueOf(failure(older, 2, Reason.REFUSED).getMessage()).contains("started later"));
                assertTrue(told.stream().anyMatch(it -> it.toString().contains("1 this node refuses the link: another "
                    + "process with the caller's NID has started later")), told::toString);
            }
        }
    }

    /** If two processes have drawn the same NID, the one that is connected stays. */
    @Test
    void drawnNidOfAConnectedProcess_isRefusedWithAReason_untilItsLinkHasEnded() throws Exception {
        retried(this::refuseTakenNid);
    }

    private void refuseTakenNid() throws Exception {
        try (Network two = open(config(2)); Network later = open(NetworkConfig.builder(1).drawnNid(true)
                 .listen(name + "later").addresses(book::get))) {
            try (Network first = open(config(1).drawnNid(true))) {
                assertGoesOn(first, two);
                assertTrue(String.valueOf(failure(later, 2, Reason.TAKEN).getMessage()).contains("the same NID"));
                assertGoesOn(first, two);
            }
            assertEquals(9, later.call(two.nid(), SQUARES, 3L));
        }
    }

    // ---- arguments ----

    @Test
    void wrongArguments_areNamed() throws IOException {
        assertEquals("a secret of 15 bytes can be guessed: at least 16 are needed",
            assertThrows(IllegalArgumentException.class, () -> config(1).secret(new byte[15])).getMessage());
        assertEquals("id=0 is not in 1 to 65535", assertThrows(IllegalArgumentException.class,
            () -> MessageType.of(0, Codecs.LONG)).getMessage());
        assertEquals("bytesMax=0 is not in 1 to 1073741824", assertThrows(IllegalArgumentException.class,
            () -> new MessageType<>(1, Codecs.LONG, 0)).getMessage());
        try (Network one = open(config(1))) {
            assertEquals("nid=1 is this node itself, which sends itself nothing", assertThrows(
                IllegalArgumentException.class, () -> one.request(1, SQUARES, 1L)).getMessage());
            assertEquals("nid=65535 is not in 0 to 65534", assertThrows(
                IllegalArgumentException.class, () -> one.stats(65_535)).getMessage());
        }
    }
}
