package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An attacked node, and two honest nodes that talk to it all the time. */
public final class HostileNodes implements AutoCloseable {
    public static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    public static final RequestType<byte[], byte[]> ECHO = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);
    public static final MessageType<byte[]> SMALL = new MessageType<>(8, Codecs.BYTES, 4096);
    public static final MessageType<byte[]> SLOW = MessageType.of(9, Codecs.BYTES);
    public static final RequestType<Long, Long> LATE = RequestType.of(10, Codecs.LONG, Codecs.LONG);
    /** How long the attacked node tries to reach a node. */
    public static final long REACH_NS = 200_000_000;
    private static final long SECOND = 1_000_000_000;
    /** The attacked node has NID 1, the honest ones 2 to this. */
    private static final int HONEST_MAX = 3;

    public final Map<Integer, String> book = new ConcurrentHashMap<>();
    public final CountDownLatch slow = new CountDownLatch(1);
    public final Network victim;
    public final Set<Integer> ups = ConcurrentHashMap.newKeySet();
    public final AtomicInteger failures = new AtomicInteger();
    public final AtomicInteger unhandled = new AtomicInteger();
    private final String listenAt;
    private final Relay relay;
    private final int port;
    private final List<Network> honest = new ArrayList<>();
    private final List<CompletableFuture<?>> talks = new ArrayList<>();
    /** The number of answers to each honest node, by NID. */
    private final AtomicLongArray answers = new AtomicLongArray(HONEST_MAX + 1);
    private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();
    private final Thread.@Nullable UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private volatile boolean isOver;

    /** Events of honest nodes that must not happen, and exceptions that must not be thrown. */
    private final class Watch implements NetworkListener {
        private final int nid;

        Watch(int nid) {
            this.nid = nid;
        }

        @Override
        public void up(int other) {
            if (nid == 1) {
                ups.add(other);
            }
        }

        @Override
        public void away(int other, @Nullable Throwable why) {
            if (why != null && !(why instanceof IOException)) {
                wrong.set("node " + nid + " has ended the link of node " + other + ": " + why);
            }
        }

        @Override
        public void lost(int other, long messages, String why) {
            if (other <= HONEST_MAX && !isOver) {
                wrong.set("node " + nid + " has lost node " + other + ": " + why);
            }
        }

        @Override
        public void unhandled(int other, int type) {
            unhandled.incrementAndGet();
        }

        @Override
        public void failed(int other, int type, Throwable thrown) {
            failures.incrementAndGet();
            if (!(thrown instanceof MalformedException) && !isOver) {
                wrong.set("node " + nid + " has failed by a message of node " + other + ": " + thrown);
            }
        }
    }

    public HostileNodes(String listenAt, long greetingNs, long silenceNs) throws IOException {
        this.listenAt = listenAt;
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> wrong.set(thread.getName() + ": " + thrown));
        victim = open(1, greetingNs, silenceNs);
        victim.answer(ECHO, (from, bytes) -> bytes);
        victim.handle(NUMBERS, (from, number) -> { });
        victim.handle(SMALL, (from, bytes) -> { });
        victim.handle(SLOW, (from, bytes) -> slow.await());
        for (int nid = 2; nid <= HONEST_MAX; nid++) {
            final Network node = open(nid, 60 * SECOND, silenceNs);
            node.answer(LATE, (from, number) -> {
                slow.await();
                return number;
            });
            honest.add(node);
            final CompletableFuture<?> talk = new CompletableFuture<>();
            final int own = nid;
            Thread.ofPlatform().start(() -> {
                try {
                    talk(own, node);
                } finally {
                    talk.complete(null);
                }
            });
            talks.add(talk);
        }
        relay = new Relay(listenAt);
        port = relay.to(victim.addresses().getFirst());
        goOn("at first");
    }

    private Network open(int nid, long greetingNs, long silenceNs) throws IOException {
        final Network network = Network.open(NetworkConfig.builder(nid).listen(listenAt).addresses(book::get)
            .secret(HostilePeer.SECRET).greetingNs(greetingNs).silenceNs(silenceNs)
            .reachNs(nid == 1 ? REACH_NS : 60 * SECOND)
            .awayNs(60 * SECOND).requestTimeoutNs(60 * SECOND).sendTimeoutNs(60 * SECOND).handlerThreads(4)
            .listener(new Watch(nid)).build());
        book.put(nid, network.addresses().getFirst());
        return network;
    }

    /** Returns an address at which the victim reaches a plain socket that listens. */
    public String trap(int trapPort) throws IOException {
        return relay.trap(trapPort);
    }

    public int port() {
        return port;
    }

    private void talk(int nid, Network node) {
        final byte[] bytes = new byte[100];
        try {
            while (!isOver) {
                bytes[0]++;
                node.send(1, NUMBERS, 1L);
                assertArrayEquals(bytes, node.call(1, ECHO, bytes));
                answers.incrementAndGet(nid);
            }
        } catch (RuntimeException | InterruptedException | AssertionError e) {
            if (!isOver) {
                wrong.set(e.toString());
            }
        }
    }

    /** Checks that no forbidden event has happened. */
    public void check(String what) {
        assertEquals(null, wrong.get(), what);
    }

    /** Waits until each honest node has received two further answers, and checks that they lost nothing. */
    public void goOn(String what) {
        for (int nid = 2; nid <= HONEST_MAX; nid++) {
            final int own = nid;
            final long wanted = answers.get(own) + 2;
            Threads.await(what + ": answers to node " + own,
                () -> ups.contains(own) && answers.get(own) >= wanted || wrong.get() != null);
        }
        check(what);
    }

    @Override
    public void close() {
        isOver = true;
        slow.countDown();
        talks.forEach(CompletableFuture::join);
        honest.forEach(Network::close);
        victim.close();
        try {
            relay.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        Thread.setDefaultUncaughtExceptionHandler(before);
    }
}
