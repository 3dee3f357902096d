package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.wire.Control;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: idle links stay up for any combination of silence limits, with few keep-alives, and no exchange of keep-alives
 * continues forever.
 *
 * <p>Method: networks without threads, whose clock the test sets.
 */
final class KeepAliveTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    private static final long HOUR = 3600 * SECOND;
    private static final int IDLE_S = 30;
    private static final int HISTORIES = 200;
    private static final int STEPS = 300;

    private final StillNetworks still = new StillNetworks(SECOND);
    private int handled;

    private void open(int nid, long silenceNs) throws IOException {
        final Network network = still.open(still.config(nid).silenceNs(silenceNs));
        network.handle(NUMBERS, (from, number) -> handled++);
    }

    /** Opens two nodes and a link that has been used. */
    private void open(long silenceNs, long otherNs) throws IOException {
        open(1, silenceNs);
        open(2, otherNs);
        still.first().send(2, 1, NUMBERS, 1L);
        run(2 * SECOND);
        assertEquals(1, handled);
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
        handled = 0;
    }

    private void run(long ns) {
        for (final long end = still.nowNs + ns; still.nowNs < end; still.nowNs += MILLISECOND) {
            still.work();
        }
    }

    private long said(int index) {
        return still.all.get(index).stats().bytesSent();
    }

    private static Channel channel(Network of) {
        return Objects.requireNonNull(NetworkAccess.agent(of).connection(3 - of.nid()).channel());
    }

    /** With its own limit alone, the other node would send too late for this one. */
    @Test
    void idleLink_ofNodesWithOtherTimes_stays() throws IOException {
        for (long ms : new long[] {100, 200, 1_000, 4_000, 20_000}) {
            open(ms * MILLISECOND, 5 * SECOND);
            final long before = still.bytesSent();
            run(IDLE_S * SECOND);
            final long signs = (still.bytesSent() - before) / Control.BYTES_MAX;
            still.all.forEach(it -> assertEquals(0, it.stats().linksLost(), () -> ms + " ms: " + it.stats()));
            final long most = 2 * IDLE_S * 1000 / (Math.min(ms, 5_000) / 4) + 4;
            assertTrue(signs <= most, () -> ms + " ms: " + signs + " signs of life, not " + most);
            close();
        }
    }

    /** Reported once per period of silence; a link that is merely idle is not late. */
    @Test
    void linkOfWhichNothingIsHeard_isToldToBeLate() throws IOException {
        final List<String> told = new ArrayList<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void delayed(int nid, long silentNs) {
                told.add(nid + " is late by " + silentNs / (100 * MILLISECOND));
            }

            @Override
            public void away(int nid, @Nullable Throwable why) {
                told.add(nid + " is away");
            }
        };
        final Network one = still.open(still.config(1).silenceNs(2 * SECOND).listener(listener));
        open(2, 2 * SECOND);
        one.send(2, 1, NUMBERS, 1L);
        run(IDLE_S * SECOND);
        assertEquals(List.of(), told, "it is idle");
        for (int time = 1; time <= 2; time++) {
            runWithout(1500 * MILLISECOND);
            assertEquals(Collections.nCopies(time, "2 is late by 10"), told);
            assertEquals(time, one.stats().linksDelayed());
            run(SECOND);
            assertEquals(time, told.size(), "it is heard again");
        }
        runWithout(3 * SECOND);
        assertEquals(List.of("2 is late by 10", "2 is away"), told.subList(2, 4));
    }

    /** Runs the first node only. */
    private void runWithout(long ns) {
        for (final long end = still.nowNs + ns; still.nowNs < end; still.nowNs += MILLISECOND) {
            NetworkAccess.agent(still.first()).doWork();
        }
    }

    @Test
    void signOfLife_isAnsweredOnce() throws IOException {
        open(HOUR, HOUR);
        final long first = said(0);
        final long second = said(1);
        still.nowNs += SECOND;
        channel(still.first()).keepAlive(0);
        run(10 * SECOND);
        assertEquals(first + Control.BYTES_MAX, said(0));
        assertEquals(second + Control.BYTES_MAX, said(1));
        still.nowNs += SECOND;
        still.all.forEach(it -> channel(it).keepAlive(0));
        run(10 * SECOND);
        assertEquals(first + 2 * Control.BYTES_MAX, said(0), "both have said something");
        assertEquals(second + 2 * Control.BYTES_MAX, said(1));
    }

    /** Whichever side asks, however often, and however late the other receives it; also while messages flow. */
    @Test
    void signsOfLife_comeToTheirEnd() throws IOException {
        final long first = Long.getLong("seed", 1);
        for (long seed = first; seed < first + (Long.getLong("seed") == null ? HISTORIES : 1); seed++) {
            final String reproduce = "seed " + seed + "; reproduce: mvn -pl cluster/net -am test"
                + " -Dtest=KeepAliveTest -Dseed="
                + seed;
            open(HOUR, HOUR);
            talk(new SplittableRandom(seed));
            run(SECOND);
            final long before = still.bytesSent();
            run(10 * SECOND);
            assertEquals(before, still.bytesSent(), reproduce);
            for (Network it : still.all) {
                still.nowNs += SECOND;
                channel(it).keepAlive(0);
                run(SECOND);
            }
            assertEquals(before + 4 * Control.BYTES_MAX, still.bytesSent(),
                () -> "each is answered once: " + reproduce);
            still.all.forEach(it -> assertEquals(0, it.stats().linksLost(), reproduce));
            close();
        }
    }

    private void talk(RandomGenerator random) {
        for (int step = 0; step < STEPS; step++) {
            final Network its = still.all.get(random.nextInt(2));
            switch (random.nextInt(8)) {
                case 0 -> channel(its).keepAlive(0);
                case 1 -> its.send(3 - its.nid(), 1, NUMBERS, 1L);
                case 2, 3, 4 -> still.nowNs += random.nextLong(30 * MILLISECOND);
                default -> NetworkAccess.agent(its).doWork();
            }
        }
    }
}
