package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.HeldLinks.HeldLink;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.ConnectionStats.State;
import io.teff.cluster.net.wire.Refusal;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: in whatever order the greetings of two dialing nodes arrive, are lost or are delayed, the nodes get one link
 * and one session, and the sent messages arrive.
 *
 * <p>Method: two networks without threads, over links that deliver only when the test lets them, with a clock set by
 * the test.
 */
final class HandshakesTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long AWAY = 3 * SECOND;
    private static final int PROOF = 3;
    private static final int REFUSED = 5;
    private static final int TYPE_AT = 4;
    private static final int CODE_AT = 8;

    private final HeldLinks links = new HeldLinks();
    /** Received values, by receiver and sender. */
    private final Map<String, List<Long>> seen = new HashMap<>();
    private final List<String> lost = new ArrayList<>();
    private final Map<Integer, Network> networks = new HashMap<>();
    /** Called with the node that has lost a session. */
    private IntConsumer whenLost = _ -> { };
    /** Whether no address is known. */
    private boolean isUnknown;
    private final StillNetworks still = new StillNetworks(SECOND);

    private Network open(int nid) throws IOException {
        return open(NetworkConfig.builder(nid));
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        config.addresses(to -> isUnknown ? null : HeldLinks.ADDRESS + to).handlers(Runnable::run)
            .ringBytes(1 << 14, 1 << 14).sendTimeoutNs(0).awayNs(AWAY).silenceNs(3600 * SECOND);
        final int nid = config.build().nid();
        final NetworkConfig.Builder its = config.listen(HeldLinks.ADDRESS + nid).listener(new NetworkListener() {
            @Override
            public void lost(int other, long messages, String why) {
                lost.add(nid + " has lost " + messages + " to " + other + ": " + why);
                whenLost.accept(nid);
            }
        });
        final Network network = still.open(its, new Transports(Map.of("held", () -> links.transport(nid)), false));
        network.handle(NUMBERS, (from, number) -> seen(nid, from).add(number));
        network.answer(SQUARES, (from, number) -> number * number);
        networks.put(nid, network);
        return network;
    }

    private List<Long> seen(int by, int from) {
        return seen.computeIfAbsent(by + " of " + from, _ -> new ArrayList<>());
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
    }

    /** Runs everything for the given time. */
    private void pass(long ns) {
        final long end = still.nowNs + ns;
        while (still.nowNs < end) {
            int work = 1;
            for (int i = 0; i < 100 && work > 0; i++) {
                work = links.passAll();
                for (Network it : networks.values()) {
                    work += NetworkAccess.agent(it).doWork();
                }
            }
            still.nowNs += MILLISECOND;
        }
    }

    /** Lets a node dial and returns the link. */
    private HeldLink dial(Network by) {
        final int before = links.all.size();
        NetworkAccess.agent(by).doWork();
        assertEquals(before + 1, links.all.size(), "dials");
        return links.last();
    }

    /** Lets a node dial and advances the link until PROOF is in flight. */
    private HeldLink dialToProof(Network by) {
        return greet(dial(by));
    }

    private static HeldLink greet(HeldLink link) {
        assertTrue(link.accept() && link.toListener() && link.toDialer());
        final byte[] said = link.listener.next();
        assertTrue(said != null && said.length > TYPE_AT && said[TYPE_AT] == PROOF, "no PROOF");
        return link;
    }

    private static boolean isRefused(HeldLink link) {
        final byte[] said = link.dialer.next();
        return said != null && said[TYPE_AT] == REFUSED && said[CODE_AT] == Refusal.OTHER_LINK.code();
    }

    private static @Nullable Channel channel(Network of, int nid) {
        return NetworkAccess.agent(of).connection(nid).channel();
    }

    private void assertGoesOn() {
        pass(SECOND);
        final int before = seen(1, 2).size() + seen(2, 1).size();
        networks.get(1).send(2, 1, NUMBERS, 1000L);
        networks.get(2).send(1, 1, NUMBERS, 1000L);
        pass(SECOND / 10);
        assertEquals(before + 2, seen(1, 2).size() + seen(2, 1).size());
        assertEquals(List.of(), lost);
        for (Network it : networks.values()) {
            assertEquals(State.UP, it.stats(3 - it.nid()).state());
            assertEquals(0, it.stats().sessionsLost());
        }
        assertBecomesQuiet();
    }

    /** Idle nodes send nothing for a long time. */
    private void assertBecomesQuiet() {
        pass(SECOND);
        final long before = said();
        pass(10 * SECOND);
        assertEquals(before, said(), "they answer each other for ever");
    }

    private long said() {
        return networks.values().stream().mapToLong(it -> it.stats().bytesSent()).sum();
    }

    /**
     * Kills the process of a node without a goodbye and starts another one with the same NID and the given start time.
     */
    private Network startAnew(int nid, long startedNs) throws IOException {
        networks.remove(nid);
        links.open().breakBoth();
        final long now = still.nowNs;
        still.nowNs = startedNs;
        final Network anew = open(nid);
        still.nowNs = now;
        return anew;
    }

    // ---- dials that fail ----

    /** The reason of one failed dial does not carry over to the next dial. */
    @Test
    void linkThatEndsInItsGreeting_isARefusal_untilOneOpens() throws IOException {
        final Network one = open(1);
        open(2);
        one.send(2, 1, NUMBERS, 1L);
        final HeldLink link = dial(one);
        assertTrue(link.accept());
        link.breakBoth();
        final Connection connection = NetworkAccess.agent(one).connection(2);
        assertEquals(Reason.REFUSED, connection.attempts().reason());
        pass(SECOND);
        assertEquals(Reason.UNREACHABLE, connection.attempts().reason());
        assertEquals(DialAttempts.NO_ANSWER, connection.dialFailure());
        assertGoesOn();
    }

    /** The dial of the next session hangs, which is no refusal. */
    @Test
    void dialThatHangs_isNotWhatTheOneBeforeWas() throws IOException {
        final Network one = open(NetworkConfig.builder(1).reachNs(3 * SECOND));
        open(2);
        final Connection connection = NetworkAccess.agent(one).connection(2);
        CompletableFuture<Long> request = one.request(2, SQUARES, 3L);
        for (; !request.isDone(); still.nowNs += MILLISECOND) {
            NetworkAccess.agent(one).doWork();
            if (!links.all.isEmpty() && links.last().accept()) {
                links.last().breakBoth();
            }
        }
        assertEquals(Reason.REFUSED, reason(request));
        assertEquals(DialAttempts.NO_ANSWER, connection.dialFailure(), "of a session that has ended");
        assertTrue(links.all.size() > 4, "" + links.all.size());
        request = one.request(2, SQUARES, 3L);
        assertDialsSoon(one);
        final CompletableFuture<Long> hasty = one.request(2, SQUARES, 3L, SECOND);
        for (; !hasty.isDone(); still.nowNs += MILLISECOND) {
            NetworkAccess.agent(one).doWork();
        }
        assertEquals(Reason.TIMED_OUT, reason(hasty));
        assertEquals("node 2: no link arrived in time: " + connection.dialFailure(), hasty.exceptionNow().getMessage());
        still.nowNs += 2 * SECOND;
        NetworkAccess.agent(one).doWork();
        assertEquals(Reason.UNREACHABLE, reason(request));
        assertEquals("node 2: " + DialAttempts.NO_ANSWER + " at " + HeldLinks.ADDRESS + 2,
            Objects.requireNonNull(connection.lastEnd()).getMessage());
    }

    /** The pause before a redial is long within one session, but ends with the session. */
    @Test
    void addressThatIsKnownAgain_isDialedSoonByTheNextSession() throws IOException {
        final Network one = open(1);
        open(2);
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND);
        networks.remove(2);
        isUnknown = true;
        links.open().breakBoth();
        pass(AWAY + SECOND / 10);
        assertEquals(List.of("1 has lost 0 to 2: no new link arrived in time: its address is unknown"), lost);
        isUnknown = false;
        one.send(2, 1, NUMBERS, 1L);
        assertDialsSoon(one);
    }

    private void assertDialsSoon(Network network) {
        final long asked = still.nowNs;
        for (final int dials = links.all.size(); links.all.size() == dials; still.nowNs += MILLISECOND) {
            NetworkAccess.agent(network).doWork();
        }
        assertTrue(still.nowNs - asked < SECOND / 10, "it waits for long, though that session is new");
    }

    private static Reason reason(CompletableFuture<?> request) {
        return assertInstanceOf(NetworkException.class, request.exceptionNow()).reason();
    }

    // ---- nodes that start anew ----

    @Test
    void nodeThatStartsAnew_isDialedAndBecomesQuiet() throws IOException {
        final Network one = open(1);
        open(2);
        one.send(2, 1, NUMBERS, 1L);
        for (int round = 1; round < 4; round++) {
            pass(SECOND);
            startAnew(2, still.nowNs);
            pass(SECOND);
            assertEquals(State.UP, one.stats(2).state());
            assertEquals(round, one.stats().sessionsLost(), "it had begun with another process");
            assertBecomesQuiet();
        }
    }

    @Test
    void sessionThatIsLost_isCountedBeforeItsRequestsEnd() throws IOException {
        final Network one = open(1);
        open(2);
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND);
        final List<Long> counted = new ArrayList<>();
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L);
        final CompletableFuture<Long> told = request.whenComplete((_, _) -> counted.add(one.stats().sessionsLost()));
        startAnew(2, still.nowNs);
        pass(SECOND);
        assertEquals(Reason.LOST, reason(request));
        assertTrue(told.isDone());
        assertEquals(List.of(1L), counted);
    }

    /** An obsolete process, which is dialed again because the newer one does not answer. */
    @Test
    void olderProcessOfANid_endsNoSession() throws IOException {
        final Network one = open(1);
        still.nowNs += 10 * SECOND;
        open(2);
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND);
        startAnew(2, SECOND);
        pass(SECOND);
        assertEquals(List.of(), lost);
        assertEquals(State.AWAY, one.stats(2).state());
        assertTrue(one.stats().linksRefused().containsKey(Refusal.OLDER.name()), () -> one.stats().toString());
        pass(AWAY);
        assertEquals(1, lost.size(), "the newer one is given up");
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND);
        assertEquals(State.UP, one.stats(2).state());
    }

    // ---- both at once ----

    /** The lower node has begun to dial after the other's HELLO, and each sends its PROOF before it has the other's. */
    @Test
    void proofsThatCross_lowerStays() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink higher = dial(two);
        assertTrue(higher.accept() && higher.toListener());
        one.send(2, 1, NUMBERS, 1L);
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L);
        final HeldLink lower = dialToProof(one);
        assertTrue(higher.toDialer());
        assertTrue(higher.toListener());
        assertTrue(isRefused(higher));
        assertNull(channel(one, 2));
        assertTrue(lower.toListener());
        assertTrue(lower.toDialer());
        assertNotNull(channel(one, 2));
        pass(SECOND / 10);
        assertEquals(List.of(List.of(1L), List.of(2L)), List.of(seen(2, 1), seen(1, 2)));
        assertEquals(9, request.join());
        assertEquals(2, links.all.size());
        assertGoesOn();
    }

    /** As {@link #proofsThatCross_lowerStays}, but the lower node has had no answer when the other's PROOF arrives. */
    @Test
    void proofBeforeTheLowerOnes_staysAndEndsItsDial() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink higher = dialToProof(two);
        one.send(2, 1, NUMBERS, 1L);
        final HeldLink lower = dial(one);
        assertTrue(lower.accept() && lower.toListener());
        assertTrue(higher.toListener());
        assertTrue(lower.dialer.isOver());
        pass(SECOND / 10);
        assertEquals(List.of(List.of(1L), List.of(2L)), List.of(seen(2, 1), seen(1, 2)));
        assertEquals(2, links.all.size());
        assertGoesOn();
    }

    /** Each accepts the other's PROOF: no link is left, and one session has two ids. */
    @Test
    void proofsThatCrossLate_beginAnew() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        one.send(2, 1, NUMBERS, 1L);
        final HeldLink lower = dialToProof(one);
        still.nowNs += SECOND;                                  // it is no longer live
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink higher = dialToProof(two);
        assertTrue(higher.toListener());
        assertNotNull(channel(one, 2), "the higher one's is taken");
        assertTrue(lower.toListener());
        pass(SECOND / 2);
        assertEquals(List.of(List.of(1L), List.of(2L)), List.of(seen(2, 1), seen(1, 2)));
        assertTrue(links.all.size() > 2);
        assertGoesOn();
    }

    @Test
    void helloToTheLowerOne_isRefusedWhileItsDialLives() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        one.send(2, 1, NUMBERS, 1L);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink lower = dial(one);
        final HeldLink higher = dial(two);
        assertTrue(higher.accept() && higher.toListener());
        assertTrue(isRefused(higher), "it is young");
        still.nowNs += SECOND;
        assertTrue(lower.accept() && lower.toListener() && lower.toDialer());
        assertTrue(higher.toDialer());
        final HeldLink again = dial(two);
        assertTrue(again.accept() && again.toListener());
        assertTrue(isRefused(again), "it had an answer just now");
        assertTrue(again.toDialer());
        still.nowNs += SECOND;
        final HeldLink last = dial(two);
        assertTrue(last.accept() && last.toListener());
        assertFalse(isRefused(last), "it had one long ago");
        pass(SECOND / 2);
        assertEquals(List.of(List.of(1L), List.of(2L)), List.of(seen(2, 1), seen(1, 2)));
        assertGoesOn();
    }

    // ---- dials that hang ----

    /** There is no answer at the address that the lower node has for the other one. */
    @Test
    void dialThatHangs_doesNotKeepTheOtherSidesOut() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        pass(SECOND / 10);
        links.isHeld = it -> it.from == 1;
        for (int i = 0; i < 5; i++) {
            links.open().breakBoth();
            one.send(2, 1, NUMBERS, 1L);
            two.send(1, 1, NUMBERS, 2L);
            pass(SECOND);
            assertEquals(State.UP, one.stats(2).state());
            assertEquals(State.UP, two.stats(1).state());
            pass(2 * SECOND);
        }
        assertEquals(5, seen(2, 1).size());
        assertEquals(6, seen(1, 2).size());
        assertGoesOn();
    }

    // ---- a PROOF that comes late ----

    /** The PROOF was sent before another link was made, and its numbers are stale. */
    @Test
    void lateProof_isRefusedAndChangesNothing() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND / 10);
        links.open().breakBoth();
        still.nowNs += SECOND / 2;
        NetworkAccess.agent(two).doWork();
        final HeldLink late = links.last();
        assertEquals(2, late.from);
        greet(late);
        assertLate(one, two, late);
    }

    /** As {@link #lateProof_isRefusedAndChangesNothing}, where neither side had a session before. */
    @Test
    void lateProofOfANewSession_isRefusedAndChangesNothing() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink late = dialToProof(two);
        one.send(2, 1, NUMBERS, 1L);
        assertLate(one, two, late);
    }

    private void assertLate(Network one, Network two, HeldLink late) {
        links.isHeld = it -> it == late;
        one.send(2, 1, NUMBERS, 10L);
        pass(SECOND / 2);
        final Channel its = channel(one, 2);
        assertNotNull(its);
        assertTrue(late.dialer.isOver());
        final long made = one.stats().linksMade();
        assertTrue(late.toListener(), "no PROOF");
        assertTrue(late.listener.isOver());
        assertSame(its, channel(one, 2));
        assertTrue(its.isOpen());
        assertEquals(made, one.stats().linksMade());
        assertEquals(1, Objects.requireNonNull(one.stats().linksRefused().get("OTHER_LINK")));
        assertEquals(10L, seen(2, 1).getLast());
        assertEquals(0, two.stats().sessionsLost());
        assertGoesOn();
        assertSame(its, channel(one, 2));
    }

    /** A node that has not noticed the end of its old link is dialed again. */
    @Test
    void newLinkBesideADeadOne_takesItsPlace() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        pass(SECOND / 10);
        final Channel old = channel(one, 2);
        links.last().breakAt(links.last().dialer);
        pass(SECOND / 10);
        assertTrue(links.all.size() > 1);
        assertFalse(Objects.requireNonNull(old).isOpen());
        assertGoesOn();
    }

    // ---- a WELCOME that is lost, or arrives when its session has ended ----

    /** Only the listener knows the session, and it dials next. */
    @Test
    void lostWelcomeAndAChangeOfRoles_loseNothing() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink first = dialToProof(two);
        assertTrue(first.toListener());
        one.send(2, 1, NUMBERS, 1L);
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L);
        NetworkAccess.agent(one).doWork();
        first.breakBoth();
        NetworkAccess.agent(one).doWork();
        assertEquals(1, links.last().from);
        pass(SECOND / 10);
        assertEquals(2, links.all.size());
        assertEquals(List.of(List.of(1L), List.of(2L)), List.of(seen(2, 1), seen(1, 2)));
        assertEquals(9, request.join());
        assertGoesOn();
    }

    /** The dialer has read WELCOME, and what it sent next is lost; the listener dials. */
    @Test
    void lostWordBehindWelcomeAndAChangeOfRoles_loseNothing() throws IOException {
        loseWordBehindWelcome(1, true);
    }

    /** The dialer has read WELCOME, and what it sent next is lost; the dialer dials again. */
    @Test
    void lostWordBehindWelcome_losesNothing() throws IOException {
        loseWordBehindWelcome(2, true);
    }

    /** The dialer has read WELCOME; the listener dials again and has nothing to send. */
    @Test
    void dialerWithNothingToSend_saysThatItHasTheSession() throws IOException {
        loseWordBehindWelcome(1, false);
    }

    private void loseWordBehindWelcome(int next, boolean hasMessage) throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink first = dialToProof(two);
        if (hasMessage) {
            one.send(2, 1, NUMBERS, 1L);
        }
        assertTrue(first.toListener() && first.toDialer());
        NetworkAccess.agent(two).doWork();
        assertNotNull(first.listener.next(), "nothing is said");
        first.breakBoth();
        still.nowNs += SECOND;
        NetworkAccess.agent((next == 1 ? one : two)).doWork();
        assertEquals(next, links.last().from);
        pass(SECOND / 10);
        assertEquals(hasMessage ? List.of(1L) : List.of(), seen(2, 1));
        assertEquals(List.of(2L), seen(1, 2));
        assertGoesOn();
    }

    /**
     * A session that only the listener knows continues with the next process that dials, also with another incarnation.
     */
    @Test
    void lostWelcomeAndARestart_loseNothing() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink first = dialToProof(two);
        assertTrue(first.toListener());
        one.send(2, 1, NUMBERS, 1L);
        NetworkAccess.agent(one).doWork();
        first.breakBoth();
        two.close();
        lost.clear();
        still.nowNs += SECOND;
        open(2);
        pass(SECOND);
        assertEquals(List.of(1L), seen(2, 1));
        assertGoesOn();
    }

    /** The listener sends nothing in a new session before the dialer's first frame, which follows immediately. */
    @Test
    void newSession_isSilentUntilTheDialerHasSpoken() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink link = dialToProof(two);
        assertTrue(link.toListener());
        one.send(2, 1, NUMBERS, 1L);
        NetworkAccess.agent(one).doWork();
        assertTrue(link.toDialer());
        assertNull(link.dialer.next(), "a frame follows WELCOME");
        assertFalse(Objects.requireNonNull(NetworkAccess.agent(one).connection(2).known()).isSure());
        NetworkAccess.agent(two).doWork();
        assertTrue(link.toListener());
        assertTrue(Objects.requireNonNull(NetworkAccess.agent(one).connection(2).known()).isSure());
        NetworkAccess.agent(one).doWork();
        assertNotNull(link.dialer.next());
        assertGoesOn();
    }

    /**
     * The offered session times out between PROOF and WELCOME: the listener may still have it, or may have begun a new
     * one. Messages sent later must not end with it.
     */
    @Test
    void sessionThatEndsBeforeWelcome_leavesTheNextOneAlone() throws IOException {
        for (boolean hasBoth : new boolean[] {false, true}) {
            final Network one = open(NetworkConfig.builder(1));
            final Network two = open(2);
            two.send(1, 1, NUMBERS, 2L);
            pass(SECOND / 10);
            links.open().breakBoth();
            final long start = still.nowNs;
            links.isHeld = _ -> true;
            still.nowNs += AWAY - 100 * MILLISECOND;
            NetworkAccess.agent(two).doWork();
            final HeldLink held = links.last();
            assertEquals(2, held.from);
            if (hasBoth) {
                NetworkAccess.agent(one).connection(2).waitForLinkFrom(start - AWAY);
                NetworkAccess.agent(one).connection(2).attempts().postponeTo(start + 2 * AWAY);
                still.nowNs += 60 * MILLISECOND;                // it is time for a tick
                NetworkAccess.agent(one).doWork();
                assertEquals(1, lost.size(), lost::toString);
            }
            greet(held);
            assertTrue(held.toListener());
            one.send(2, 1, NUMBERS, 3L);
            NetworkAccess.agent(one).doWork();
            still.nowNs = start + AWAY + SECOND;
            NetworkAccess.agent(two).doWork();
            two.send(1, 1, NUMBERS, 4L);
            final CompletableFuture<Long> request = two.request(1, SQUARES, 3L);
            assertTrue(held.toDialer(), "no WELCOME");
            links.isHeld = _ -> false;
            pass(2 * SECOND);
            assertEquals(2, lost.size(), lost::toString);
            assertEquals(4L, seen(1, 2).getLast());
            assertEquals(9, request.join());
            if (hasBoth) {
                assertEquals(List.of(3L), seen(2, 1));
            }
            lost.clear();
            close();
            lost.clear();
            seen.clear();
            links.all.clear();
        }
    }

    /** If the listener has given up a session, the dialer announces its credit anew even though it has more to send. */
    @Test
    void listenerWithoutTheSession_isToldTheCreditAtOnce() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        two.send(1, 1, NUMBERS, 2L);
        pass(SECOND / 10);
        links.open().breakBoth();
        links.isHeld = _ -> true;
        NetworkAccess.agent(one).connection(2).waitForLinkFrom(still.nowNs - AWAY - 1);
        NetworkAccess.agent(one).connection(2).attempts().postponeTo(still.nowNs + AWAY);
        still.nowNs += 60 * MILLISECOND;
        NetworkAccess.agent(one).doWork();
        assertEquals(1, lost.size());
        two.send(1, 1, NUMBERS, 3L);
        final CompletableFuture<Long> before = two.request(1, SQUARES, 3L);
        links.isHeld = _ -> false;
        final List<CompletableFuture<Long>> again = new ArrayList<>();
        whenLost = nid -> again.add(networks.get(nid).request(1, SQUARES, 5L));
        pass(SECOND);
        assertTrue(before.isCompletedExceptionally());
        assertEquals(2, lost.size());
        assertEquals(25, again.getFirst().getNow(0L));
        whenLost = _ -> { };
    }

    // ---- the end ----

    /** Sent messages wait for the link that the other side makes, and so does a close. */
    @Test
    void closeOfWhoWaitsForTheOthersLink_waits() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        one.send(2, 1, NUMBERS, 1L);
        final HeldLink lower = dial(one);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink higher = dial(two);
        assertTrue(higher.accept() && higher.toListener() && higher.toDialer());
        assertNull(NetworkAccess.agent(two).connection(1).dialing());
        assertNull(channel(two, 1));
        assertTrue(NetworkAccess.agent(two).isSending(), "a close would not wait");
        assertTrue(lower.accept());
        pass(SECOND / 10);
        assertEquals(List.of(2L), seen(1, 2));
        assertFalse(NetworkAccess.agent(two).isSending());
        assertGoesOn();
    }

    /** The close does not wait forever. */
    @Test
    void closeOfWhoWaitsInVain_waitsForSoLong() throws IOException {
        final Network one = open(NetworkConfig.builder(1).reachNs(3600 * SECOND));
        final Network two = open(2);
        links.isHeld = it -> it.from == 1;
        one.send(2, 1, NUMBERS, 1L);
        dial(one);
        two.send(1, 1, NUMBERS, 2L);
        final HeldLink higher = dial(two);
        assertTrue(higher.accept() && higher.toListener() && higher.toDialer());
        links.isHeld = _ -> true;
        for (int i = 0; i < 5; i++) {
            assertTrue(NetworkAccess.agent(two).isSending());
            still.nowNs += SECOND / 2;
            NetworkAccess.agent(two).doWork();
        }
        still.nowNs += 4 * SECOND;
        NetworkAccess.agent(two).doWork();
        assertFalse(NetworkAccess.agent(two).isSending());
    }

    /** The end of a link in its greeting looks like a wrong secret, unless the reason is sent before it. */
    @Test
    void nodeThatClosesWhileItIsCalled_isUnreachable() throws IOException {
        final Network one = open(1);
        final Network two = open(2);
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L, 3600 * SECOND);
        final HeldLink link = dial(one);
        assertTrue(link.accept() && link.toListener());         // HELLO has arrived
        networks.remove(2).close();
        still.all.remove(two);
        pass(MILLISECOND);
        final DialAttempts attempts = NetworkAccess.agent(one).connection(2).attempts();
        assertTrue(attempts.failure().contains("it is being closed"), attempts.failure());
        assertEquals(Reason.UNREACHABLE, attempts.reason());
        request.cancel(false);
    }
}
