package io.teff.cluster.net;

import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.RawType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: short messages of a type for agent or pool are handled where they arrive, long ones by the pool, and those of a
 * lane in order nevertheless.
 *
 * <p>Method: networks with threads in the process; a message is its number and its lane, and zeros.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AgentOrPoolTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RawType TYPE = new RawType(7, 1 << 20);
    private static final int SHORT_MAX = 64;
    private static final int LONG = SHORT_MAX + 1;
    private static final int SEVERAL_FRAMES = 300_000;
    private static final long PATIENCE_S = 60;
    private static final int COUNT = 20_000;

    private final String name = "loop:agent-or-pool-test-" + NAMES.incrementAndGet() + "-";
    private final LinkedBlockingQueue<Handled> handled = new LinkedBlockingQueue<>();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    private record Handled(int number, int lane, int length, boolean isPool) {}

    private Network open(int nid) throws IOException {
        return Network.open(PatientConfig.of(nid).listen(name + nid).addresses(to -> name + to).build(),
            it -> it.raw().handle(TYPE, HandledBy.agentOrPool(SHORT_MAX, "mixed", 1), this::handle));
    }

    private void handle(int from, MemorySegment memory, long offset, int length) {
        final int number = memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
        final int lane = memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset + Integer.BYTES);
        if (number == -1) {
            began.countDown();
            try {
                assertTrue(free.await(PATIENCE_S, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        handled.add(new Handled(number, lane, length, Thread.currentThread().getName().contains("mixed")));
    }

    private static void send(Network from, int lane, int number, int length) {
        final MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, Integer.BYTES, lane);
        from.raw().send(2, lane, TYPE, bytes, 0, length);
    }

    private Handled next() throws InterruptedException {
        final Handled next = handled.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertNotNull(next);
        return next;
    }

    @Test
    void shortMessages_behindALongOne_areHandledByThePool_andThoseOfOtherLanesByTheAgent() throws Exception {
        try (Network one = open(1); Network two = open(2)) {
            send(one, 5, 0, SHORT_MAX);
            assertEquals(new Handled(0, 5, SHORT_MAX, false), next());
            send(one, 5, -1, LONG);
            assertTrue(began.await(PATIENCE_S, TimeUnit.SECONDS));
            send(one, 5, 1, 8);
            send(one, 5, 2, 8);
            send(one, 6, 3, 8);
            send(one, 0, 4, 8);
            assertEquals(new Handled(3, 6, 8, false), next());
            assertEquals(new Handled(4, 0, 8, false), next());
            assertNull(handled.poll(), "handled in front of an earlier message of its lane");
            free.countDown();
            assertEquals(new Handled(-1, 5, LONG, true), next());
            assertEquals(new Handled(1, 5, 8, true), next());
            assertEquals(new Handled(2, 5, 8, true), next());
            boolean isPool = true;                              // until the pool has left the lane
            for (int number = 5; isPool; number++) {
                send(one, 5, number, 8);
                isPool = next().isPool();
            }
            assertEquals(0, two.stats().handlerFailures());
        }
    }

    @Test
    void messages_ofMixedLengths_areHandledInTheOrderOfTheirLanes() throws Exception {
        final SplittableRandom random = new SplittableRandom(11);
        final List<Integer> lanes = new ArrayList<>();
        try (Network one = open(1); Network two = open(2)) {
            for (int i = 0; i < COUNT; i++) {
                lanes.add(1 + random.nextInt(3));
                send(one, lanes.get(i), i, random.nextInt(2_000) == 0 ? SEVERAL_FRAMES : random.nextInt(20) == 0
                    ? random.nextInt(LONG, 4_000) : random.nextInt(8, LONG));
            }
            final int[] last = {-1, -1, -1, -1};
            int byPool = 0;
            for (int i = 0; i < COUNT; i++) {
                final Handled now = next();
                assertEquals(lanes.get(now.number()), now.lane());
                assertTrue(now.number() > last[now.lane()], () -> now + " behind " + last[now.lane()]);
                last[now.lane()] = now.number();
                assertTrue(now.isPool() || now.length() <= SHORT_MAX, now::toString);
                byPool += now.isPool() ? 1 : 0;
            }
            assertTrue(byPool > 0 && byPool < COUNT, byPool + " by the pool");
            assertFalse(two.stats().handlerFailures() > 0);
        }
    }

    @Test
    void agentOrPool_withImpossibleNumbers_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> HandledBy.agentOrPool(-1, "mixed", 1));
        assertThrows(IllegalArgumentException.class, () -> HandledBy.agentOrPool(1, "mixed", 0));
    }
}
