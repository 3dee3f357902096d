package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.ConnectionStats.State;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: above the limit of links the least recently used one is put to rest without visible effect: its messages arrive
 * once and in order whenever they are sent, needed links stay, and a resting session costs nothing.
 *
 * <p>Method: networks without threads, whose clock the test sets.
 */
final class LinkLimitTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    /** Nodes that talk to each other in turn. */
    private static final int NODES = Form.size(24, 64, 64);
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long HOUR = 3600 * SECOND;
    private static final long STEP = 10 * MILLISECOND;

    /** Received values, by receiver and sender. */
    private final Map<String, List<Long>> seen = new HashMap<>();
    /** Recorded events, by node. */
    private final Map<Integer, List<String>> told = new HashMap<>();
    private final StillNetworks still = new StillNetworks(SECOND);

    /** Records the events of a node. */
    private final class Told implements NetworkListener {
        private final List<String> all;

        Told(int nid) {
            all = told.computeIfAbsent(nid, _ -> new ArrayList<>());
        }

        @Override
        public void up(int nid) {
            all.add("up " + nid);
        }

        @Override
        public void away(int nid, @Nullable Throwable why) {
            all.add("away " + nid);
        }

        @Override
        public void resting(int nid) {
            all.add("resting " + nid);
        }

        @Override
        public void lost(int nid, long messages, String why) {
            all.add("lost " + nid + " " + messages + " " + why);
        }
    }

    private NetworkConfig.Builder config(int nid, int linksMax) {
        return still.config(nid).ringBytes(1 << 14, 1 << 14).linksMax(linksMax).listener(new Told(nid));
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = still.open(config);
        final int nid = network.nid();
        network.handle(NUMBERS, (from, number) -> seen(nid, from).add(number));
        network.answer(SQUARES, (from, number) -> number * number);
        return network;
    }

    private Network open(int nid, int linksMax) throws IOException {
        return open(config(nid, linksMax));
    }

    private List<Long> seen(int by, int from) {
        return seen.computeIfAbsent(by + " of " + from, _ -> new ArrayList<>());
    }

    private List<String> told(int nid) {
        return told.getOrDefault(nid, List.of());
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
    }

    // ---- time ----

    /** Runs until no node has anything to do twice in a row, as work found in a tick is done in the next cycle. */
    private void run() {
        int idle = 0;
        while (idle < 2) {
            int work = 0;
            for (int i = 0; i < still.all.size(); i++) {
                work += NetworkAccess.agent(still.all.get(i)).doWork();
                final NetworkStats stats = still.all.get(i).stats();
                assertTrue(stats.linksOpen()
                    <= NetworkAccess.agent(still.all.get(i)).config().linksMax(), stats::toString);
            }
            idle = work == 0 ? idle + 1 : 0;
        }
    }

    private void pass(long ns, long step) {
        for (final long end = still.nowNs + ns; still.nowNs < end;) {
            still.nowNs += Math.min(step, end - still.nowNs);
            run();
        }
    }

    private void pass(long ns) {
        run();
        pass(ns, STEP);
    }

    private void await(BooleanSupplier isThere, String what) {
        for (final long end = still.nowNs + HOUR; !isThere.getAsBoolean();) {
            assertTrue(still.nowNs < end, () -> what + ": " + told);
            pass(STEP);
        }
    }

    private static State state(Network of, int nid) {
        return of.stats(nid).state();
    }

    private static Channel channel(Network of, int nid) {
        return Objects.requireNonNull(NetworkAccess.agent(of).connection(nid).channel());
    }

    // ---- selection and consequences ----

    /** For any observer at any time: no loss was reported. */
    @Test
    void linkThatIsPutToRest_isNeverSeenAway() throws IOException {
        final Network one = open(1, 1);
        open(2, 9);
        open(3, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        final Set<State> states = EnumSet.noneOf(State.class);
        still.whenAsked = () -> states.add(state(one, 2));
        one.send(3, 1, NUMBERS, 1L);
        pass(SECOND);
        assertEquals(State.RESTING, state(one, 2));
        assertEquals(Set.of(State.UP, State.RESTING), states);
    }

    @Test
    void leastRecentlyUsed_rests_andGoesOnAfterHours() throws IOException {
        final Network one = open(1, 2);
        final Network two = open(2, 9);
        final Network three = open(3, 9);
        final Network four = open(4, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(STEP);
        one.send(3, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        one.send(2, 1, NUMBERS, 2L);
        pass(SECOND);
        four.send(1, 1, NUMBERS, 1L);
        pass(SECOND);
        assertEquals(List.of(State.UP, State.RESTING, State.UP), List.of(state(one, 2), state(one, 3), state(one, 4)));
        assertEquals(State.RESTING, state(three, 1));
        for (Network it : List.of(one, three)) {
            final NetworkStats stats = it.stats();
            assertEquals(List.of(1L, 0L, 1L, 0L), List.of(stats.linksRested(), stats.linksLost(),
                stats.connectionsResting(), stats.sessionsLost()), stats::toString);
        }
        assertEquals(List.of("up 2", "up 3", "resting 3", "up 4"), told(1));
        assertEquals(List.of("up 1", "resting 1"), told(3));
        pass(10 * HOUR, SECOND);
        assertEquals(State.RESTING, state(one, 3));
        assertEquals(0, NetworkAccess.agent(three).rings().takenBytes());
        three.send(1, 1, NUMBERS, 1L);
        one.send(3, 1, NUMBERS, 2L);
        pass(5 * SECOND);
        one.send(2, 1, NUMBERS, 3L);
        pass(5 * SECOND);
        assertEquals(List.of(1L, 2L, 3L), seen(2, 1));
        assertEquals(List.of(1L, 2L), seen(3, 1));
        assertEquals(List.of(1L), seen(1, 3));
        assertEquals(List.of(1L), seen(1, 4));
        for (Network it : still.all) {
            final NetworkStats stats = it.stats();
            assertEquals(0, stats.sessionsLost() + stats.linksLost(), stats::toString);
        }
        assertEquals(1, two.stats().sessionsBegun());
        assertEquals(3, one.stats().sessionsBegun());
        assertTrue(one.stats().sessionsResumed() >= 2, one.stats()::toString);
    }

    @Test
    void ringsUsedSinceTheLastLook_stay() throws IOException {
        final Network one = open(1, 3);
        for (int nid = 2; nid <= 6; nid++) {
            open(nid, 9);
        }
        for (int nid = 2; nid <= 4; nid++) {
            one.send(nid, NUMBERS, 1L);
            pass(STEP);
        }
        pass(2 * SECOND);
        one.send(5, NUMBERS, 1L);
        pass(STEP);
        one.send(3, NUMBERS, 2L);
        pass(STEP);
        one.send(6, NUMBERS, 1L);
        pass(STEP);
        assertEquals(List.of("up 2", "up 3", "up 4", "resting 2", "up 5", "resting 4", "up 6"), told(1));
    }

    @Test
    void nodesThatDialEachOther_areNotTooMany() throws IOException {
        final Network one = open(1, 1);
        final Network two = open(2, 1);
        one.send(2, NUMBERS, 1L);
        two.send(1, NUMBERS, 1L);
        pass(SECOND);
        assertEquals(List.of(List.of(1L), List.of(1L)), List.of(seen(1, 2), seen(2, 1)));
        assertFalse(one.stats().linksRefused().containsKey("TOO_MANY"), one.stats()::toString);
        assertFalse(two.stats().linksRefused().containsKey("TOO_MANY"), two.stats()::toString);
    }

    /** A link breaks, and its place is taken before there is another: a session with nothing to send keeps waiting. */
    @Test
    void sessionWithoutALink_waitsAsLongAsThereIsNoRoom() throws IOException {
        final List<Runnable> tasks = new ArrayList<>();
        final Network nine = open(config(9, 1).handlers(tasks::add));
        final Network three = open(3, 9);
        nine.send(3, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        channel(nine, 3).fail(new IOException("planned"));
        still.all.remove(three);                                // it sees nothing yet
        final Network two = open(2, 9);
        final CompletableFuture<Long> slow = two.request(9, SQUARES, 3L, HOUR);
        run();
        still.all.add(three);
        pass(30 * SECOND);
        assertEquals(List.of(State.UP, State.AWAY, State.AWAY), List.of(state(nine, 2), state(nine, 3),
            state(three, 9)));
        assertTrue(three.stats().linksRefused().get("TOO_MANY") > 2, three.stats()::toString);
        tasks.removeFirst().run();
        pass(5 * SECOND);
        assertEquals(9, slow.join());
        nine.send(3, 1, NUMBERS, 2L);
        pass(5 * SECOND);
        assertEquals(List.of(1L, 2L), seen(3, 9));
        assertEquals(0, nine.stats().sessionsLost() + three.stats().sessionsLost());
    }

    @Test
    void linkThatIsNeeded_stays_andTheLimitIsNamed() throws IOException {
        final List<Runnable> tasks = new ArrayList<>();
        final Network one = open(1, 1);
        final Network two = open(config(2, 1).handlers(tasks::add));
        final Network three = open(3, 9);
        final CompletableFuture<Long> slow = one.request(2, SQUARES, 5L, HOUR);
        pass(5 * SECOND);
        final CompletableFuture<Long> first = one.request(3, SQUARES, 1L, HOUR);
        three.send(2, NUMBERS, 1L);
        pass(5 * SECOND);
        assertEquals(State.UP, state(one, 2));
        final Throwable thrown = assertThrows(CompletionException.class, first::join).getCause();
        assertEquals(Reason.UNREACHABLE, ((NetworkException) thrown).reason());
        assertTrue(String.valueOf(thrown.getMessage()).contains("linksMax=1"), thrown.getMessage());
        assertEquals(List.of(), seen(2, 3));
        assertTrue(three.stats().linksRefused().get("TOO_MANY") > 1, three.stats()::toString);
        assertTrue(told(3).getLast().contains("as many links"), told(3)::toString);
        assertEquals(0, one.stats().linksRested() + two.stats().linksRested());
        tasks.removeFirst().run();
        pass(SECOND);
        assertEquals(25, slow.join());
        final CompletableFuture<Long> second = one.request(3, SQUARES, 4L);
        pass(3 * SECOND);
        assertEquals(16, second.join());
        assertEquals(State.RESTING, state(two, 1));
    }

    @Test
    void messagesOfMorePeersThanLinks_makeOneLinkASecond() throws IOException {
        final Network one = open(1, 1);
        open(2, 9);
        open(3, 9);
        final List<Long> all = new ArrayList<>();
        for (long number = 0; number < 1000; number++) {
            one.send(2, 1, NUMBERS, number);
            one.send(3, 1, NUMBERS, number);
            all.add(number);
            pass(STEP);
        }
        await(() -> seen(2, 1).size() + seen(3, 1).size() == 2 * all.size(), "all messages");
        assertEquals(all, seen(2, 1));
        assertEquals(all, seen(3, 1));
        final NetworkStats stats = one.stats();
        assertTrue(stats.linksRested() >= 7 && stats.linksMade() <= 12, stats::toString);
        assertEquals(0, stats.sessionsLost(), stats::toString);
    }

    @Test
    void nodesThatCannotBeDialed_restNothing() throws IOException {
        final Network silent = open(NetworkConfig.builder(1).addresses(still::address).handlers(Runnable::run)
            .linksMax(1));
        final Network ignorant = open(config(2, 1).addresses(_ -> null));
        final Network three = open(3, 9);
        silent.send(3, NUMBERS, 1L);
        three.send(2, NUMBERS, 1L);
        pass(2 * SECOND);
        final CompletableFuture<Long> out = silent.request(2, SQUARES, 1L);
        final CompletableFuture<Long> in = open(4, 9).request(2, SQUARES, 1L);
        pass(5 * SECOND);
        assertTrue(out.isCompletedExceptionally() && in.isCompletedExceptionally());
        assertEquals(List.of(State.UP, State.UP), List.of(state(silent, 3), state(ignorant, 3)));
    }

    // ---- both sides at once ----

    @Test
    void messagesSentMeanwhile_arriveOnce() throws IOException {
        final Network one = open(1, 9);
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        two.send(1, 1, NUMBERS, 1L);
        // the link has taken it, and its peer does not read
        assertTrue(NetworkAccess.agent(two).doWork() > 0);
        assertTrue(channel(one, 2).closeToRest());
        pass(SECOND);
        assertEquals(List.of(1L), seen(1, 2));
        pass(2 * SECOND);
        one.send(2, 1, NUMBERS, 2L);
        assertTrue(channel(two, 1).closeToRest());
        assertTrue(NetworkAccess.agent(one).isSending());
        pass(SECOND);
        assertEquals(List.of(1L, 2L), seen(2, 1));
        assertEquals(List.of("up 2", "resting 2", "up 2", "resting 2", "up 2"), told(1));
    }

    @Test
    void acknowledgements_areSentBeforeTheLinkRests() throws IOException {
        final Network one = open(1, 9);
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        for (long number = 0; number < 2; number++) {
            two.send(1, 1, NUMBERS, number);
            run();                                              // the second is not acknowledged for 10 ms
        }
        assertTrue(two.stats(1).unacknowledgedBytes() > 0);
        assertTrue(channel(one, 2).closeToRest());
        pass(SECOND);
        assertEquals(List.of("up 2", "resting 2"), told(1));
        assertEquals(0, two.stats(1).unacknowledgedBytes());
    }

    @Test
    void bothSidesAtOnce_rest() throws IOException {
        final Network one = open(1, 9);
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        two.send(1, 1, NUMBERS, 1L);
        pass(10 * STEP);
        assertTrue(NetworkAccess.agent(two).rings().takenBytes() > 0);
        assertTrue(channel(one, 2).closeToRest());
        assertFalse(channel(two, 1).closeToRest());             // its link accepts no more bytes
        pass(STEP);
        assertEquals(0, NetworkAccess.agent(two).rings().takenBytes());
        pass(HOUR, SECOND);
        assertEquals(List.of(State.RESTING, State.RESTING), List.of(state(one, 2), state(two, 1)));
        one.send(2, 1, NUMBERS, 2L);
        two.send(1, 1, NUMBERS, 2L);
        pass(SECOND);
        assertEquals(List.of(1L, 2L), seen(2, 1));
        assertEquals(List.of(1L, 2L), seen(1, 2));
        assertEquals(0, one.stats().sessionsLost() + two.stats().sessionsLost());
    }

    @Test
    void restingPeer_whenTheNodeRestarts_losesItsSession() throws IOException {
        final Network one = open(1, 9);
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        assertTrue(channel(one, 2).closeToRest());
        pass(SECOND);
        two.close();
        still.all.remove(two);
        pass(HOUR, SECOND);
        open(2, 9);
        assertEquals(State.RESTING, state(one, 2));
        one.send(2, 1, NUMBERS, 2L);
        pass(SECOND);
        assertTrue(told(1).stream().anyMatch(it -> it.startsWith("lost 2 1 ")), told(1)::toString);
        one.send(2, 1, NUMBERS, 3L);
        pass(SECOND);
        assertEquals(List.of(1L, 3L), seen(2, 1));
    }

    /** As for a lost link, but counted from the first message on. */
    @Test
    void restingPeer_thatCannotBeReached_isLostInTime() throws IOException {
        final Network one = open(1, 9);
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(2 * SECOND);
        assertTrue(channel(one, 2).closeToRest());
        pass(SECOND);
        two.close();
        still.all.remove(two);
        pass(HOUR, SECOND);
        final CompletableFuture<Long> request = one.request(2, SQUARES, 2L, HOUR);
        pass(9 * SECOND);
        assertFalse(request.isDone());
        assertEquals(State.AWAY, state(one, 2));
        pass(2 * SECOND);
        final Throwable thrown = assertThrows(CompletionException.class, request::join).getCause();
        assertEquals(Reason.LOST, ((NetworkException) thrown).reason());
        assertTrue(String.valueOf(thrown.getMessage()).contains("there is no listener"), thrown.getMessage());
    }

    /** A deadline of the previous session does not apply to the next one. */
    @Test
    void lostPeer_isDialedAgainForTheSameTime() throws IOException {
        final Set<Integer> dead = new HashSet<>();
        final Network one = open(config(1, 9).addresses(to -> dead.contains(to) ? "loop:nobody" : still.address(to)));
        final Network two = open(2, 9);
        one.send(2, 1, NUMBERS, 1L);
        pass(SECOND);
        dead.add(2);
        still.all.remove(two);
        channel(one, 2).fail(new IOException("planned"));
        pass(20 * SECOND);
        assertTrue(told(1).getLast().startsWith("lost 2"), told(1)::toString);
        pass(HOUR, SECOND);
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L, HOUR);
        pass(SECOND);
        assertFalse(request.isDone(), "it is dialed for three seconds");
        dead.clear();
        still.all.add(two);
        pass(SECOND);
        assertEquals(9, request.join());
    }

    // ---- many ----

    @Test
    void manyRestingLinks_keepNoAgentBusy() throws IOException {
        final int peers = 40;
        final int most = 4;
        final Network one = open(1, most);
        for (int nid = 2; nid < 2 + peers; nid++) {
            open(nid, 9);
            one.send(nid, NUMBERS, 1L);
            pass(SECOND / 2);
        }
        await(() -> one.stats().connectionsResting() == peers - most, "resting ones");
        pass(3 * SECOND);
        assertEquals(0, NetworkAccess.agent(one).rings().takenBytes());
        int watched = 0;
        for (Connection it : NetworkAccess.agent(one).connections()) {
            watched += it.isWatched() ? 1 : 0;
            assertFalse(it.isActive(), "node " + it.nid());
        }
        assertEquals(most, watched);
        assertTrue(NetworkAccess.agent(one).idleNs() > 0);
        assertFalse(NetworkAccess.agent(one).isSending());
        one.send(2, NUMBERS, 2L);
        assertTrue(NetworkAccess.agent(one).isSending(), "a close would not wait");
        pass(SECOND);
        assertEquals(List.of(1L, 2L), seen(2, 1));
    }

    @Test
    void nodesTalkingAroundInTurn_loseNothing() throws IOException {
        final int nodes = NODES;
        final int most = 8;
        final int rounds = nodes - 1;
        final Map<String, List<Long>> sent = new HashMap<>();
        final List<CompletableFuture<Long>> requests = new ArrayList<>();
        for (int nid = 1; nid <= nodes; nid++) {
            open(config(nid, most).reachNs(HOUR).awayNs(HOUR));
        }
        for (int round = 1; round <= 2 * rounds; round++) {
            for (int i = 0; i < nodes; i++) {
                final Network from = still.all.get(i);
                final int to = (i + 1 + (round - 1) % rounds) % nodes + 1;
                from.send(to, 1, NUMBERS, (long) round);
                sent.computeIfAbsent(to + " of " + from.nid(), _ -> new ArrayList<>()).add((long) round);
                requests.add(from.request(to, SQUARES, 3L, HOUR));
            }
            pass(SECOND / 4, SECOND / 40);
        }
        await(() -> requests.stream().allMatch(CompletableFuture::isDone), "all answers");
        await(() -> seen.values().stream().mapToInt(List::size).sum() == 2 * rounds * nodes, "all messages");
        assertEquals(sent, seen);
        assertTrue(requests.stream().allMatch(it -> it.join() == 9));
        long rested = 0;
        for (Network it : still.all) {
            final NetworkStats stats = it.stats();
            assertEquals(0, stats.sessionsLost() + stats.linksLost(), stats::toString);
            assertEquals(stats.linksOpen() + stats.connectionsResting(), nodes - 1, stats::toString);
            rested += stats.linksRested();
        }
        assertTrue(rested > nodes * rounds, "only " + rested + " links have rested");
    }
}
