package io.teff.cluster.net.stream;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.StillNetworks;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.ring.SendRing;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: answers always get through, however full both directions are of messages and requests, and the amount of
 * waiting data is bounded.
 *
 * <p>Method: networks without threads, whose steps follow the seed: put as much as possible, work, or handle tasks.
 */
final class BacklogTest {
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);
    private static final RequestType<Integer, byte[]> MUCH = RequestType.of(3, Codecs.INT, Codecs.BYTES);
    private static final long HOUR = 3_600_000_000_000L;
    private static final int HISTORIES = Form.size(25, 150, 150);
    private static final int REQUESTS = Form.size(1_000, 4_000, 4_000);
    private static final int STEPS = 400;
    private static final int PUTS = 2_000;
    private static final int WINDOW = 256 << 10;
    private static final int LONG = 3 << 20;

    private final StillNetworks still = new StillNetworks(1);

    private NetworkConfig.Builder config(int nid) {
        return still.config(nid).sendTimeoutNs(0).requestTimeoutNs(HOUR).awayNs(HOUR).silenceNs(HOUR);
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
    }

    // ---- both directions ----

    /** A node, its open requests, and the tasks that its handlers have not run. */
    private final class Side {
        final Network network;
        final int other;
        /** Share of requests, in thirds. */
        final int requestsPart;
        final List<Runnable> tasks = new ArrayList<>();
        final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
        int messages;
        int handled;

        Side(int nid, RandomGenerator random) throws IOException {
            final int ringBytes = 1 << random.nextInt(14, 21);
            other = 3 - nid;
            requestsPart = random.nextInt(1, 4);
            network = still.open(config(nid).handlers(tasks::add)
                .windowBytes(random.nextInt(WINDOW, 4 * WINDOW))
                .ringBytes(ringBytes, Math.max(ringBytes, 1 << random.nextInt(14, 21))));
            network.handle(BYTES, (from, bytes) -> handled++);
            network.answer(ECHO, (from, bytes) -> bytes);
        }

        /** Puts until there is no room. */
        void put(RandomGenerator random) {
            final int bytes = random.nextInt(random.nextBoolean() ? 100 : random.nextInt(4) > 0 ? 40_000 : 400_000);
            for (int i = 0; i < PUTS; i++) {
                if (random.nextInt(3) < requestsPart) {
                    try {
                        requests.add(network.request(other, ECHO, new byte[bytes]));
                    } catch (NetworkException e) {
                        assertEquals(Reason.FULL, e.reason());
                        return;
                    }
                } else if (network.offer(other, random.nextInt(3), BYTES, new byte[bytes])) {
                    messages++;
                } else {
                    return;
                }
            }
        }

        int handleSome(int most) {
            int count = 0;
            while (count < most && !tasks.isEmpty()) {
                tasks.removeFirst().run();
                count++;
            }
            return count;
        }
    }

    @Test
    void floodsInBothDirections_comeToTheirEnd() throws IOException {
        final long first = Long.getLong("seed", 1);
        for (long seed = first; seed < first + (Long.getLong("seed") == null ? HISTORIES : 1); seed++) {
            try {
                flood(new SplittableRandom(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed
                    + "; reproduce: mvn -pl cluster/net -am test -Dtest=BacklogTest -Dseed=" + seed, e);
            }
            close();
        }
    }

    private void flood(RandomGenerator random) throws IOException {
        final List<Side> sides = List.of(new Side(1, random), new Side(2, random));
        for (int step = 0; step < STEPS; step++) {
            final Side side = sides.get(random.nextInt(2));
            switch (random.nextInt(4)) {
                case 0 -> side.put(random);
                case 1 -> side.handleSome(random.nextInt(100));
                case 2 -> NetworkAccess.agent(side.network).doWork();
                default -> still.nowNs += random.nextInt(20_000_000);
            }
        }
        int work = 1;
        for (int idle = 0; idle < 100; idle = work == 0 ? idle + 1 : 0) {
            work = still.work() + sides.get(0).handleSome(PUTS) + sides.get(1).handleSome(PUTS);
            still.nowNs += 5_000_000;
        }
        for (Side side : sides) {
            final Side other = sides.get(2 - side.network.nid());
            assertEquals(side.messages, other.handled, "messages of node " + side.network.nid());
            final long waiting = side.requests.stream().filter(it -> !it.isDone()).count();
            assertEquals(0, waiting, () -> "requests of node " + side.network.nid() + ": " + side.network.stats());
            side.requests.forEach(CompletableFuture::join);
        }
    }

    /** Each answer takes more credit than there is, until it is acknowledged. */
    @Test
    void longAnswersInBothDirections_goThrough() throws IOException {
        final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
        for (int nid = 1; nid <= 2; nid++) {
            still.open(config(nid)).answer(ECHO, (from, bytes) -> bytes);
        }
        for (int round = 0; round < 3; round++) {
            for (Network it : still.all) {
                requests.add(it.request(3 - it.nid(), ECHO, new byte[LONG + round]));
            }
            settle();
        }
        for (CompletableFuture<byte[]> it : requests) {
            assertTrue(it.isDone() && it.join().length >= LONG, still.first().stats()::toString);
        }
    }

    /** The handler of a long message sends a request with a long answer, and can wait for it. */
    @Test
    void longAnswer_comesWhileALongMessageIsHandled() throws IOException {
        final List<Runnable> tasks = new ArrayList<>();
        final Network one = still.open(config(1));
        final Network two = still.open(config(2).handlers(tasks::add));
        one.answer(MUCH, (from, number) -> new byte[number]);
        two.handle(BYTES, (from, bytes) -> { });
        one.send(2, 1, BYTES, new byte[2 * LONG]);
        settle();
        assertEquals(1, two.stats(1).messagesReceived());
        final CompletableFuture<byte[]> request = two.request(1, MUCH, LONG);
        settle();
        assertTrue(request.isDone(), one.stats()::toString);
        assertFalse(one.offer(2, 1, BYTES, new byte[1]), "there is no credit for messages");
        tasks.removeFirst().run();
        settle();
        assertTrue(one.offer(2, 1, BYTES, new byte[1]));
    }

    private void settle() {
        still.settle(100, 5_000_000);
    }

    /** Another connection holds all memory; no thread polls for some. */
    @Test
    void answerWithoutMemory_waitsQuietly() throws IOException {
        final Network one = still.open(config(1).poolBytes(1 << 20).reachNs(HOUR)
            .ringBytes(1 << 16, 1 << 19));
        final Network two = still.open(config(2));
        one.answer(ECHO, (from, bytes) -> bytes);
        final CompletableFuture<byte[]> first = two.request(1, ECHO, new byte[8]);
        settle();
        assertTrue(first.isDone());
        still.nowNs += 3_000_000_000L;                          // the ring is given back
        settle();
        assertEquals(0, NetworkAccess.agent(one).rings().takenBytes());
        int fill = 0;
        while (one.offer(3, 1, BYTES, new byte[1000])) {        // there is no peer yet
            fill++;
        }
        while (one.offer(4, 1, BYTES, new byte[1000])) {
            fill++;
        }
        assertTrue(fill > 100, fill + " messages");
        final CompletableFuture<byte[]> request = two.request(1, ECHO, new byte[8]);
        settle();
        assertFalse(request.isDone(), "there is memory");
        for (int i = 0; i < 3; i++) {
            NetworkAccess.agent(one).doWork();                                // a tick, and what it finds
        }
        assertTrue(NetworkAccess.agent(one).idleNs() > 0, "it looks again and again");
        still.open(config(3));
        still.open(config(4));
        settle();
        assertTrue(request.isDone(), one.stats()::toString);
    }

    /** Each would begin before the first answer if it did not queue behind it: that many may begin at once. */
    @Test
    void answersThatFindRoom_waitBehindOneThatHasFoundNone() throws IOException {
        final Network one = still.open(config(1).ringBytes(1 << 14, 1 << 14));
        final Session session = NetworkAccess.agent(one).connection(2).session();
        final Dispatcher dispatcher = NetworkAccess.agent(one).dispatcher();
        final int longest = session.out.lengthMax();
        final int answers = FragmentTable.COUNT_MAX + 2;
        int result = SendStream.OK;
        while (result == SendStream.OK) {
            result = session.out.put(1, 0, 0, 0, new byte[longest], 0, longest - Frame.HEAD_BYTES);
        }
        respond(dispatcher, session, longest + 100);
        assertTrue(session.hasLate());
        for (int i = 0; i < answers; i++) {
            acknowledgeOne(session);
            respond(dispatcher, session, longest + 100);
        }
        for (int i = 0; i < 4 * answers && session.hasLate(); i++) {
            acknowledgeOne(session);
            session.putLate();
        }
        assertFalse(session.hasLate(), "they wait for ever");
    }

    /** Many handlers may check for waiting answers before one of them sends. */
    @Test
    void answersThatHaveBegun_goInFrontOfOneThatMayNot() throws IOException {
        final Network one = still.open(config(1).ringBytes(1 << 14, 1 << 14));
        final Session session = NetworkAccess.agent(one).connection(2).session();
        final int longest = fill(session);
        final List<OutgoingMessage> begun = new ArrayList<>();
        for (int i = 0; i < FragmentTable.COUNT_MAX; i++) {
            acknowledgeOne(session);
            final OutgoingMessage answer = answer(i, longest);
            assertEquals(SendStream.FULL, session.put(answer));
            assertTrue(answer.isBegun());
            begun.add(answer);
        }
        final OutgoingMessage last = answer(FragmentTable.COUNT_MAX, longest);
        assertEquals(SendStream.FULL, session.put(last));
        assertTrue(last.isCrowded());
        session.putLater(last, 0);
        begun.forEach(it -> session.putLater(it, 0));
        for (int i = 0; i < 4 * FragmentTable.COUNT_MAX && session.hasLate(); i++) {
            acknowledgeOne(session);
            session.putLate();
        }
        assertFalse(session.hasLate(), "they wait for ever");
    }

    /** A message without room or memory is cut in the middle and not handled; the following ones are. */
    @Test
    void restsOfMessages_areAsManyAsAWindowHas() throws IOException {
        final Network one = still.open(config(1).ringBytes(1 << 14, 1 << 14).windowBytes(WINDOW));
        final Session session = NetworkAccess.agent(one).connection(2).session();
        final int longest = fill(session);
        final List<OutgoingMessage> begun = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            acknowledgeOne(session);
            final OutgoingMessage message = OutgoingMessage.of(1, 0, 0, i, new byte[longest + WINDOW / 4], 0,
                longest + WINDOW / 4);
            assertEquals(SendStream.FULL, session.put(message));
            begun.add(message);
        }
        assertEquals(4, begun.stream().filter(session::putLater).count());
        for (int i = 0; i < WINDOW && session.hasLate(); i++) {
            acknowledgeOne(session);
            session.progress(session.out.acked(), session.out.acked() + WINDOW);
            session.putLate();
        }
        assertFalse(session.hasLate(), "they wait for ever");
        final OutgoingMessage next = OutgoingMessage.of(1, 0, 0, 9, new byte[LONG], 0, LONG);
        acknowledgeOne(session);
        assertEquals(SendStream.FULL, session.put(next));
        assertTrue(session.putLater(next), "what has left is still counted");
    }

    @Test
    void messageThatEndsInTheMiddle_isNotHandled() throws IOException {
        final Network one = still.open(config(1).ringBytes(1 << 14, 1 << 14).windowBytes(WINDOW));
        final Network two = still.open(config(2));
        final List<Integer> lengths = new ArrayList<>();
        two.handle(BYTES, (from, bytes) -> lengths.add(bytes.length));
        final Session session = NetworkAccess.agent(one).connection(2).session();
        final OutgoingMessage other = OutgoingMessage.of(BYTES.id(), 1, 0, -1, new byte[LONG], 0, LONG);
        assertEquals(SendStream.FULL, session.put(other));
        final OutgoingMessage message = OutgoingMessage.of(BYTES.id(), 1, 0, -2, new byte[LONG], 0, LONG);
        while (!message.isBegun()) {
            still.work();
            assertEquals(SendStream.FULL, session.put(message));
        }
        assertTrue(session.putLater(other));
        assertFalse(session.putLater(message));
        workAll();
        assertTrue(one.offer(2, 1, BYTES, new byte[9]));
        workAll();
        assertEquals(List.of(LONG, 9), lengths);
        assertTrue(session.isAtRest(), "something is kept");
    }

    private void workAll() {
        still.settle(5, 20_000_000);
    }

    /** Puts until nothing more fits; returns the length of a longest frame. */
    private static int fill(Session session) {
        final int longest = session.out.lengthMax();
        int result = SendStream.OK;
        while (result == SendStream.OK) {
            result = session.out.put(1, 0, 0, 0, new byte[longest], 0, longest - Frame.HEAD_BYTES);
        }
        return longest;
    }

    private static OutgoingMessage answer(int number, int longest) {
        return OutgoingMessage.of(1, 0, Frame.RESPONSE, number, new byte[longest + 100], 0, longest + 100);
    }

    private static void respond(Dispatcher dispatcher, Session session, int bytes) {
        final Delivery request = new Delivery(dispatcher);
        request.set(session, 1, 0, Frame.REQUEST, bytes, 0);
        request.respond(MessageBuffer.write(2, BYTES, new byte[bytes]));
        request.end();
    }

    /** As done by the agent, which has no time to put waiting frames. */
    private static void acknowledgeOne(Session session) {
        final SendRing ring = Objects.requireNonNull(session.out.sending());
        if (ring.sent() < ring.committed()) {
            ring.sent(ring.runBytes(Long.MAX_VALUE));
        }
        if (ring.acked() < ring.sent()) {
            final int length = Frame.length(ring.memory(), ring.offset(ring.acked()));
            assertTrue(session.out.acknowledge(ring.acked() + Frame.taken(length)));
        }
    }

    // ---- what is kept ----

    /** A peer that requests much and reads nothing makes others keep at most one window for it, and one answer. */
    @Test
    void answersThatNobodyReads_areBounded() throws IOException {
        final int count = REQUESTS;
        final int bytes = 50_000;
        final AtomicInteger answered = new AtomicInteger();
        final Network one = still.open(config(1).ringBytes(1 << 20, 1 << 20));
        final Network two = still.open(config(2).windowBytes(WINDOW)
            .ringBytes(1 << 17, 1 << 17));
        two.answer(MUCH, (from, number) -> {
            answered.incrementAndGet();
            return new byte[number];
        });
        final CompletableFuture<byte[]> greeting = one.request(2, MUCH, 1);
        while (still.work() > 0 || !greeting.isDone()) {
            still.nowNs += 1_000_000;
        }
        final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(one.request(2, MUCH, bytes));
        }
        NetworkAccess.agent(one).doWork();
        for (int i = 0; i < 1000; i++) {
            NetworkAccess.agent(two).doWork();
            still.nowNs += 1_000_000;
        }
        final int most = (WINDOW + (1 << 17) + (1 << 20)) / bytes + 3;    // it waits, is in the ring, or in the link
        assertTrue(answered.get() > 2 && answered.get() <= most, answered + " of " + most);
        settle();
        assertEquals(count + 1, answered.get());
        for (CompletableFuture<byte[]> it : requests) {
            assertArrayEquals(new byte[bytes], it.join());
        }
    }

    /** A message without credit is refused, though the ring has room. */
    @Test
    void messagesWithoutCredit_areRefused() throws IOException {
        final List<Runnable> tasks = new ArrayList<>();
        final Network one = still.open(config(1).ringBytes(1 << 20, 1 << 20));
        final Network two = still.open(config(2).handlers(tasks::add).windowBytes(WINDOW));
        two.handle(BYTES, (from, bytes) -> { });
        one.send(2, BYTES, new byte[8]);
        while (still.work() > 0 || tasks.isEmpty()) {
            still.nowNs += 1_000_000;
        }
        final NetworkException full = assertThrows(NetworkException.class, () -> {
            while (true) {
                one.send(2, BYTES, new byte[1000]);
                still.work();
            }
        });
        assertEquals(Reason.FULL, full.reason());
        final long left = WINDOW - (128 << 10) - 1016L * (tasks.size() - 1) - 24;
        assertTrue(left >= 0 && left < 1016, left + " bytes less than the limit");
        assertTrue(NetworkAccess.agent(one).rings().takenBytes() > 0);
        while (!tasks.isEmpty()) {
            tasks.removeFirst().run();
        }
        for (int i = 0; i < 10; i++) {
            still.nowNs += 10_000_000;
            still.work();
        }
        assertTrue(one.offer(2, 0, BYTES, new byte[1000]));
    }
}
