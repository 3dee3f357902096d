package io.teff.cluster.net.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Look-ups of names, with name servers that are slow, missing or without threads. */
final class LookupsTest {
    private static final List<InetAddress> LOCAL = List.of(InetAddress.ofLiteral("127.0.0.1"),
        InetAddress.ofLiteral("::1"));

    private final AtomicInteger woken = new AtomicInteger();

    private static final class Told implements Lookups.Waiter {
        private final List<InetAddress> addresses = new ArrayList<>();
        private @Nullable IOException why;
        private int calls;
        private boolean isOver;

        @Override
        public boolean isOver() {
            return isOver;
        }

        @Override
        public void found(List<InetAddress> found, @Nullable IOException failure) {
            addresses.addAll(found);
            why = failure;
            calls++;
        }
    }

    @Test
    void slowName_delaysNoOtherName_andEachWaiterIsCalledOnce() throws IOException {
        final CompletableFuture<List<InetAddress>> slow = new CompletableFuture<>();
        final Lookups lookups = new Lookups(host -> {
            if (host.equals("slow")) {
                return slow.join();
            }
            throw new UnknownHostException(host);
        }, woken::incrementAndGet);
        final List<Told> waiters = new ArrayList<>();
        for (String host : List.of("slow", "slow", "unknown", "slow")) {
            waiters.add(new Told());
            lookups.add(host, waiters.getLast());
        }
        waiters.getLast().isOver = true;
        Threads.await("the unknown name", () -> lookups.poll() > 0);
        assertEquals(1, waiters.get(2).calls);
        assertTrue(waiters.get(2).why instanceof UnknownHostException && waiters.get(2).addresses.isEmpty());
        assertEquals(0, waiters.getFirst().calls);
        slow.complete(LOCAL);
        Threads.await("the slow name", () -> lookups.poll() > 0);
        for (int i = 0; i < 2; i++) {
            assertEquals(1, waiters.get(i).calls);
            assertEquals(LOCAL, waiters.get(i).addresses);
        }
        assertEquals(0, waiters.getLast().calls, "it did not wait any more");
        assertEquals(2, woken.get());
        lookups.close();
        assertThrows(IOException.class, () -> lookups.add("slow", new Told()));
    }

    /** The next dial tries again, instead of ending the agent or waiting without end. */
    @Test
    void name_thereIsNoThreadForIt_failsTheLookup() throws IOException {
        final boolean[] isLacking = {true};
        final Lookups lookups = new Lookups(_ -> LOCAL, woken::incrementAndGet, work -> {
            if (isLacking[0]) {
                throw new OutOfMemoryError("planned");
            }
            return Thread.ofPlatform().daemon().unstarted(work);
        });
        final Told told = new Told();
        for (int dial = 0; dial < 2; dial++) {
            assertThrows(IOException.class, () -> lookups.add("somewhere", told));
        }
        isLacking[0] = false;
        lookups.add("somewhere", told);
        Threads.await("the look-up", () -> lookups.poll() > 0);
        assertEquals(LOCAL, told.addresses);
        lookups.close();
    }
}
