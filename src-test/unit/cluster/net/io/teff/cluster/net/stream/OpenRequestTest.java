package io.teff.cluster.net.stream;

import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: an open request ends once, whatever ends the request, in any order. The table keeps no request that has ended.
 *
 * <p>Method: a model in one thread, and races of all ways to end a request with its addition and with the end of the
 * session.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OpenRequestTest {
    private static final int RACES = 3000;
    private static final int STEPS = 20_000;
    private static final long PATIENCE_S = 60;

    private final AtomicInteger unanswered = new AtomicInteger();
    private final AnswerReports reports = new AnswerReports() {
        @Override
        public void unanswered() {
            unanswered.incrementAndGet();
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            throw new AssertionError(thrown);
        }
    };

    private static final class Handle extends OpenRequest {
        Handle(AnswerReports reports, MessageOrigin origin, long correlation) {
            super(reports, origin, 2, 1, 0, correlation);
        }
    }

    private static Session session() throws IOException {
        return NetworkAccess.agent(NetworkAccess.make(NetworkConfig.builder(1).handlers(Runnable::run).build(),
            () -> 0, () -> 1, List.of(new Transports(Map.of(), false)), 1)).connection(2).session();
    }

    private Handle open(Session session, long correlation) {
        final Handle handle = new Handle(reports, session, correlation);
        assertTrue(handle.begin());
        return handle;
    }

    @Test
    void table_againstAModel() throws IOException {
        final Session session = session();
        final OpenRequests table = session.openRequests();
        final SplittableRandom random = new SplittableRandom(3);
        final List<Handle> all = new ArrayList<>();
        int ended = 0;
        for (int step = 0; step < STEPS; step++) {
            if (all.isEmpty() || random.nextInt(5) < 3) {
                final Handle handle = open(session, random.nextLong(1, 1000) * 16);
                assertTrue(table.add(handle));
                all.add(handle);
            } else {
                final Handle handle = all.remove(random.nextInt(all.size()));
                if (random.nextBoolean()) {
                    assertSame(session, handle.end());
                } else {
                    table.withdraw(handle.correlation);         // and others of that number
                    final int before = all.size();
                    all.removeIf(it -> !it.isOpen());
                    ended += 1 + before - all.size();
                }
                assertFalse(handle.isOpen());
            }
            assertEquals(all.size(), table.count());
        }
        table.audit();
        table.endAll();
        assertEquals(0, table.count());
        assertEquals(ended + all.size(), unanswered.get());
        table.audit();
        final Handle late = open(session, 1);
        assertTrue(table.add(late));
        assertFalse(late.isOpen());
        assertEquals(0, table.count());
    }

    @Test
    void add_beyondTheLimit_isRefused() throws IOException {
        final Session session = session();
        final OpenRequests table = new OpenRequests(16 * 16);
        int added = 0;
        for (long correlation = 1; correlation < 1000; correlation++) {
            added += table.add(open(session, correlation)) ? 1 : 0;
        }
        assertEquals(16 * 16, added);
        assertEquals(added, table.count());
    }

    /** A request is added, answered, withdrawn and ended with its session at once. */
    @Test
    void races_endEachRequestOnceAndLeaveNone() throws Exception {
        final AtomicInteger answered = new AtomicInteger();
        final Session[] sessions = new Session[RACES];
        final Handle[] handles = new Handle[RACES];
        for (int i = 0; i < RACES; i++) {
            sessions[i] = session();
            handles[i] = open(sessions[i], i + 1);
        }
        final CyclicBarrier barrier = new CyclicBarrier(4);
        final List<Thread> threads = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        for (int role = 0; role < 4; role++) {
            final int its = role;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < RACES; i++) {
                        barrier.await(PATIENCE_S, TimeUnit.SECONDS);
                        switch (its) {
                            case 0 -> sessions[i].openRequests().add(handles[i]);
                            case 1 -> answered.addAndGet(handles[i].end() == null ? 0 : 1);
                            case 2 -> sessions[i].openRequests().withdraw(i + 1);
                            default -> {
                                if (i % 2 == 0) {
                                    sessions[i].openRequests().endAll();
                                }
                            }
                        }
                    }
                } catch (Throwable e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        for (int i = 0; i < RACES; i++) {
            assertFalse(handles[i].isOpen());
            assertEquals(0, sessions[i].openRequests().count());
            sessions[i].openRequests().audit();
        }
        assertEquals(RACES, answered.get() + unanswered.get());
    }
}
