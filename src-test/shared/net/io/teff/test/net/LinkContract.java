package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.Transport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: links carry every byte once and in order, end on both sides, and leave nothing behind.
 *
 * <p>Method: transports of the subclass, polled by the thread of the test.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LinkContract {
    private static final long WAIT_NS = 60_000_000_000L;
    private static final int STREAM_BYTES = 2_000_000;
    private static final int WRITE_BYTES_MAX = 300_000;
    /** Bytes of a last write, which a link sends within the time for that on a busy machine. */
    private static final int LAST_BYTES = 200_000;

    /** Transports that {@link #until} polls, and that are closed at the end. */
    protected final List<Transport> transports = new ArrayList<>();
    /** Links that were accepted. */
    protected final List<Told> accepted = new ArrayList<>();
    private final List<Told> dialed = new ArrayList<>();

    /** {@return a transport} */
    protected abstract Transport open();

    /** {@return the address at which a transport listens} */
    protected abstract String listenAt();

    /** {@return an address without a listener} */
    protected abstract String nobody();

    /** {@return the number of links that are opened and closed} */
    protected abstract int links();

    /** {@return the number of objects that links have, in all transports} */
    protected abstract long held();

    @AfterEach
    void close() {
        TransportEnds.closeAll(transports);
    }

    /** {@return a transport that is polled} */
    protected final Transport transport() {
        final Transport transport = open();
        transports.add(transport);
        return transport;
    }

    /** {@return where a transport listens, whose links are {@link #accepted}} */
    protected final String listen(Transport transport) throws IOException {
        return transport.listen(listenAt(), Told.into(accepted));
    }

    /** {@return a dialed link} */
    protected final Told dial(Transport from, String address) throws IOException {
        final Told told = new Told();
        dialed.add(told);
        told.link = from.connect(address, told);
        return told;
    }

    /** {@return a dialed link that is connected, as is the only accepted one} */
    protected final Told connected(Transport dialing, String at) throws IOException {
        accepted.clear();
        final Told told = dial(dialing, at);
        until(() -> told.connected == 1 && !accepted.isEmpty() && accepted.getFirst().connected == 1);
        return told;
    }

    /** Polls all transports until something is so. */
    protected final void until(BooleanSupplier isSo) {
        final long begin = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < WAIT_NS,
                () -> "it did not come about; dialed " + dialed + ", accepted " + accepted);
            int work = 0;
            for (Transport it : transports) {
                work += it.poll();
            }
            if (work == 0) {
                transports.getLast().await(1_000_000);
            }
        }
    }

    /** {@return bytes} */
    protected static byte[] random(long seed) {
        final byte[] bytes = new byte[STREAM_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** One link in both directions, with writes of random length, some of which find no room. */
    @Test
    void bytes_inBothDirections_arriveInOrder() throws IOException {
        final String at = listen(transport());
        final Told here = connected(transport(), at);
        final Told other = accepted.getFirst();
        final byte[] there = random(1);
        final byte[] back = random(2);
        final SplittableRandom random = new SplittableRandom(3);
        final int[] sent = new int[2];
        until(() -> {
            sent[0] += write(here.link, there, sent[0], random);
            sent[1] += write(other.link, back, sent[1], random);
            return other.bytes.size() == STREAM_BYTES && here.bytes.size() == STREAM_BYTES;
        });
        assertArrayEquals(there, other.bytes.toByteArray());
        assertArrayEquals(back, here.bytes.toByteArray());
        assertEquals(0, here.closed + other.closed);
    }

    /** Writes from the heap or from native memory, and overwrites that as soon as the call has returned. */
    private static int write(Link link, byte[] bytes, int from, SplittableRandom random) {
        final int length = Math.min(1 + random.nextInt(WRITE_BYTES_MAX), bytes.length - from);
        if (length == 0) {
            return 0;
        }
        if (random.nextBoolean()) {
            return link.write(MemorySegment.ofArray(bytes), from, length);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment memory = arena.allocate(length);
            MemorySegment.copy(bytes, from, memory, ValueLayout.JAVA_BYTE, 0, length);
            final int taken = link.write(memory, 0, length);
            memory.fill((byte) 0xEE);
            return taken;
        }
    }

    /** Everything that was taken arrives before the end of the link, on whichever side that begins. */
    @Test
    void close_afterAWrite_peerHasAllBytesAndTheEnd() throws IOException {
        final String at = listen(transport());
        final Transport dialing = transport();
        for (boolean isDialer : new boolean[] {true, false}) {
            final Told here = connected(dialing, at);
            final Told from = isDialer ? here : accepted.getFirst();
            final Told to = isDialer ? accepted.getFirst() : here;
            final byte[] bytes = random(4);
            final int taken = from.link.write(MemorySegment.ofArray(bytes), 0, LAST_BYTES);
            assertTrue(taken > 0, "nothing was taken");
            from.link.close();
            assertEquals(0, from.link.write(MemorySegment.ofArray(bytes), 0, 1));
            until(() -> to.closed > 0);
            assertArrayEquals(Arrays.copyOf(bytes, taken), to.bytes.toByteArray());
            assertNull(to.why);
            assertEquals(0, from.closed);
            assertEquals(1, to.closed);
        }
    }

    @Test
    void closeOfTheTransport_sendsWhatWasTaken() throws IOException {
        final String at = listen(transport());
        final Transport dialing = transport();
        final Told here = connected(dialing, at);
        final byte[] bytes = random(5);
        assertEquals(50_000, here.link.write(MemorySegment.ofArray(bytes), 0, 50_000));
        final CompletableFuture<Void> end = CompletableFuture.runAsync(dialing::close);
        transports.remove(dialing);
        until(() -> accepted.getFirst().closed > 0);
        end.join();
        assertArrayEquals(Arrays.copyOf(bytes, 50_000), accepted.getFirst().bytes.toByteArray());
    }

    @Test
    void connect_whereNobodyListens_isReported() throws IOException {
        final Told here = dial(transport(), nobody());
        until(() -> here.closed == 1);
        assertEquals(0, here.connected);
        assertNotNull(here.why);
        assertTrue(String.valueOf(here.why).contains(nobody() + ": "), here::toString);
    }

    /** Links come and go, several at a time. */
    @Test
    void manyLinks_openedAndClosed_leaveNothing() throws IOException {
        final String at = listen(transport());
        final Transport dialing = transport();
        openAndClose(dialing, at, 4);
        final long before = held();
        openAndClose(dialing, at, links());
        until(() -> held() <= before);
    }

    private void openAndClose(Transport dialing, String at, int count) throws IOException {
        accepted.clear();
        final List<Told> here = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            here.add(dial(dialing, at));
        }
        until(() -> here.stream().allMatch(it -> it.connected == 1) && accepted.size() == count
            && accepted.stream().allMatch(it -> it.connected == 1));
        here.subList(0, count / 2).forEach(it -> it.link.close());
        until(() -> accepted.stream().filter(it -> it.closed == 1).count() == count / 2);
        accepted.stream().filter(it -> it.closed == 0).forEach(it -> it.link.close());
        until(() -> here.stream().mapToInt(it -> it.closed).sum() == count - count / 2);
        assertEquals(count / 2, accepted.stream().mapToInt(it -> it.closed).sum());
    }

    @Test
    void wakeUp_endsTheWait() throws Exception {
        final Transport its = transport();
        listen(its);
        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> its.await(Long.MAX_VALUE));
        its.wakeUp();
        waiting.join();
        its.wakeUp();                                           // before the wait
        its.await(Long.MAX_VALUE);
    }
}
