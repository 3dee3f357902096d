package io.teff.test.cluster.nodes;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node that sends numbered messages on ordered lanes, and requests, to others, checks the received ones, and counts.
 * Runs in a JVM of its own, controlled by lines on its standard input; {@link NodeProcess} is the other end.
 */
public final class TrafficNode implements NetworkListener {
    static final int LANES = 2;
    static final String SECRET = "sixteen bytes or more";
    private static final MessageType<byte[]> NUMBERED = MessageType.of(1, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final int HEAD_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final int BURST = 8;
    private static final long PAUSE_NS = 2_000_000;
    private static final int OPEN_MAX = 64;
    private static final int LONG_MESSAGE_EVERY = 64;
    private static final int LONG_MESSAGE_BYTES = 20_000;         // so it leaves in fragments
    private static final int SHORT_MESSAGE_BYTES = 500;

    private final int start;
    private final long requestNs;
    private final Map<Integer, String> addresses = new ConcurrentHashMap<>();
    private final Map<String, Long> figures = new ConcurrentSkipListMap<>();
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Network network;
    private volatile boolean isSending = true;

    /** The numbers received in a lane from one process of a node. */
    private static final class Seen {
        private final BitSet numbers = new BitSet();
        private long last;
    }

    private TrafficNode(String... args) throws IOException {
        start = Integer.parseInt(args[1]);
        requestNs = ms(args[6]);
        network = Network.open(NetworkConfig.builder(Integer.parseInt(args[0])).listen(args[2]).silenceNs(ms(args[3]))
            .awayNs(ms(args[4])).sendTimeoutNs(ms(args[5])).ringBytes(64 << 10, 256 << 10)
            .secret(SECRET.getBytes(StandardCharsets.UTF_8)).addresses(addresses::get).listener(this).build());
        network.handle(NUMBERED, this::take);
        network.answer(SQUARES, (from, number) -> number * number);
    }

    /**
     * Runs the node.
     *
     * @param args NID, number of its start, address to listen at, milliseconds: silence, away, send, request
     * @throws IOException if it cannot listen
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        final TrafficNode node = new TrafficNode(args);
        Thread.ofPlatform().daemon().start(node::watchTheClock);
        try (Network network = node.network; BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(network.addresses().getFirst());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                node.obey(line.split(" "));
            }
        }
    }

    private void obey(String... words) throws InterruptedException {
        switch (words[0]) {
            case "at" -> addresses.put(Integer.parseInt(words[1]), words[2]);
            case "send" -> {
                final int to = Integer.parseInt(words[1]);
                for (int lane = 1; lane <= LANES; lane++) {
                    final int its = lane;
                    begin(() -> send(to, its));
                }
                begin(() -> ask(to));
            }
            case "rest" -> {
                isSending = false;
                for (Thread it : threads) {
                    it.join();
                }
                threads.clear();
                System.out.println("rests");
            }
            default -> System.out.println(figures.entrySet().stream().map(Object::toString)
                .collect(Collectors.joining(" ")));
        }
    }

    private void begin(Runnable work) {
        final Thread thread = Thread.ofPlatform().daemon().start(work);
        threads.add(thread);
    }

    private static long ms(String text) {
        return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(text));
    }

    // ---- figures ----

    private void add(String name, int nid, long more) {
        figures.merge(name + "." + nid, more, Long::sum);
    }

    private void most(String name, long value) {
        figures.merge(name, value, Math::max);
    }

    /** Measures how long this process was suspended: meanwhile no deadline can be met. */
    private void watchTheClock() {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(PAUSE_NS);
            final long now = System.nanoTime();
            most("stallMs", TimeUnit.NANOSECONDS.toMillis(now - last));
            last = now;
        }
    }

    // ---- the listener ----

    @Override
    public void up(int nid) {
        add("up", nid, 1);
    }

    @Override
    public void away(int nid, @Nullable Throwable why) {
        add("away", nid, 1);
    }

    @Override
    public void lost(int nid, long messages, String why) {
        add("lost", nid, 1);
        add("told", nid, messages);
    }

    // ---- messages ----

    private void send(int to, int lane) {
        long number = 1;
        while (isSending) {
            for (int i = 0; i < BURST && isSending; i++) {
                final long begun = System.nanoTime();
                try {
                    network.send(to, lane, NUMBERED, message(lane, number));
                    figures.put("sent." + to + "." + lane, number);
                    number++;
                } catch (NetworkException e) {                  // not sent, so the number is used again
                    add("refused." + e.reason(), to, 1);
                }
                most("sendMs." + to, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private byte[] message(int lane, long number) {
        final int filler = number % LONG_MESSAGE_EVERY == 0 ? LONG_MESSAGE_BYTES
            : (int) (number % SHORT_MESSAGE_BYTES);
        final byte[] message = ByteBuffer.allocate(HEAD_BYTES + filler)
            .putInt(start).putInt(lane).putLong(number).array();
        for (int i = HEAD_BYTES; i < message.length; i++) {
            message[i] = (byte) (number + i);
        }
        return message;
    }

    private void take(int from, byte[] message) {
        final ByteBuffer said = ByteBuffer.wrap(message);
        final String name = from + "." + said.getInt() + "." + said.getInt();
        final long number = said.getLong();
        for (int i = HEAD_BYTES; i < message.length; i++) {
            if (message[i] != (byte) (number + i)) {
                add("wrong", from, 1);
                return;
            }
        }
        final Seen its = seen.computeIfAbsent(name, _ -> new Seen());
        synchronized (its) {
            add(its.numbers.get((int) number) ? "doubled" : "got", from, 1);
            its.numbers.set((int) number);
            add("backwards", from, number < its.last ? 1 : 0);
            its.last = number;
            figures.merge("first." + name, number, Math::min);
        }
    }

    // ---- requests ----

    private void ask(int to) {
        final Semaphore open = new Semaphore(OPEN_MAX);
        for (long number = 1; isSending; number++) {
            open.acquireUninterruptibly();
            final long begun = System.nanoTime();
            final long its = number;
            add("asked", to, 1);
            try {
                var _ = network.request(to, SQUARES, number, requestNs).whenComplete((answer, thrown) -> {
                    add("wrong", to, thrown == null && answer != its * its ? 1 : 0);
                    ended(to, begun, thrown);
                    open.release();
                });
            } catch (NetworkException e) {
                ended(to, begun, e);
                open.release();
            }
            LockSupport.parkNanos(PAUSE_NS / 2);
        }
        open.acquireUninterruptibly(OPEN_MAX);                  // all have ended, or this never does
    }

    private void ended(int to, long begunNs, @Nullable Throwable thrown) {
        most("lateMs." + to, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs - requestNs));
        final Throwable why = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (why == null) {
            add("answered", to, 1);
        } else {
            add("failed." + (why instanceof NetworkException it ? it.reason() : why.getClass().getSimpleName()), to, 1);
        }
    }
}
