package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.AddressException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.Told;
import io.teff.test.net.TransportEnds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.BindException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what {@link UcxLinkTest} does not ask, as of other addresses; and a peer that does not speak the protocol is
 * refused, and leaves nothing behind.
 *
 * <p>Method: transports polled by this thread; hostile peers use UCX itself.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UcxTransportTest {
    private static final long WAIT_NS = 60_000_000_000L;
    private static final int STREAM_BYTES = 2_000_000;
    private static final int LAST_MESSAGES = 50;
    private static final int ROUNDS = Form.size(20, 100, 1_000);

    private final List<UcxTransport> transports = new ArrayList<>();
    private final List<Told> accepted = new ArrayList<>();

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @AfterEach
    void close() {
        TransportEnds.closeAll(transports);
    }

    private UcxTransport transport() {
        final UcxTransport transport = new UcxTransport(Platform.SYSTEM);
        transports.add(transport);
        return transport;
    }

    private static Told dial(UcxTransport from, String address) throws IOException {
        final Told told = new Told();
        told.link = from.connect(address, told);
        return told;
    }

    private void until(BooleanSupplier isSo) {
        final long begin = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < WAIT_NS, () -> "it did not come about: " + accepted);
            int work = 0;
            for (UcxTransport it : transports) {
                work += it.poll();
            }
            if (work == 0) {
                transports.getLast().await(1_000_000);
            }
        }
    }

    private static byte[] random(long seed) {
        final byte[] bytes = new byte[STREAM_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** A peer whose process stands still: what UCX does not take is not taken from the caller. */
    @ParameterizedTest
    @ValueSource(strings = {Ucx.SHARED, Ucx.TCP})
    void write_peerStandsStill_takesABoundedAmount(String address) throws IOException {
        final UcxTransport listening = transport();
        final String at = listening.listen(address, Told.into(accepted));
        final UcxTransport dialing = transport();
        final Told dialed = dial(dialing, at);
        until(() -> dialed.connected == 1 && !accepted.isEmpty());
        final byte[] bytes = random(6);
        long taken = 0;
        int refused = 0;
        for (int i = 0; i < 1_000 && refused < 100; i++) {
            final int part = dialed.link.write(MemorySegment.ofArray(bytes), 0, 100_000);
            taken += part;
            refused = part == 0 ? refused + 1 : 0;
            dialing.poll();
        }
        assertEquals(100, refused, "taken " + taken);
        assertTrue(dialing.buffersInUse() <= SendBuffers.LINK_MAX, "buffers " + dialing.buffersInUse());
        final long all = taken;
        until(() -> accepted.getFirst().bytes.size() == all && dialed.writable > 0);
        assertEquals(0, dialing.buffersInUse());
    }

    // ---- the last bytes of a link ----

    private UcxTransport timed(Clock clock) {
        final Platform platform = Platform.SYSTEM.withClock(clock);
        final UcxTransport its = new UcxTransport(it -> UcxLinks.open(it, platform));
        transports.add(its);
        return its;
    }

    /** Connects, writes, and closes the link; returns the bytes that were taken. */
    private byte[] writeAndClose(UcxTransport dialing, String at) throws IOException {
        final Told dialed = dial(dialing, at);
        until(() -> dialed.connected == 1 && accepted.size() == 1);
        final byte[] bytes = random(7);
        final int taken = dialed.link.write(MemorySegment.ofArray(bytes), 0, bytes.length);
        assertTrue(taken > 50_000, "taken " + taken);
        dialed.link.close();
        return Arrays.copyOf(bytes, taken);
    }

    /** A peer that reads nothing until the time for the last bytes is nearly over. */
    @ParameterizedTest
    @ValueSource(strings = {Ucx.SHARED, Ucx.TCP})
    void close_peerReadsLate_hasAllBytes(String address) throws IOException {
        final AtomicLong clock = new AtomicLong();
        final String at = transport().listen(address, Told.into(accepted));
        final UcxTransport dialing = timed(clock::get);
        final byte[] taken = writeAndClose(dialing, at);
        clock.addAndGet(RdmaTransport.DRAIN_NS);
        for (int i = 0; i < 1_000; i++) {
            dialing.poll();
        }
        assertEquals(1, dialing.linkCount());
        until(() -> accepted.getFirst().closed == 1);
        assertArrayEquals(taken, accepted.getFirst().bytes.toByteArray());
        until(() -> dialing.linkCount() == 0);
        assertEquals(0, dialing.linksCutShort());
    }

    /** A peer that does not read: the link ends in time, which is counted. */
    @ParameterizedTest
    @ValueSource(strings = {Ucx.SHARED, Ucx.TCP})
    void close_peerDoesNotRead_isCutShort(String address) throws IOException {
        final AtomicLong clock = new AtomicLong();
        final UcxTransport listening = transport();
        final String at = listening.listen(address, Told.into(accepted));
        final UcxTransport dialing = timed(clock::get);
        final byte[] taken = writeAndClose(dialing, at);
        clock.addAndGet(RdmaTransport.DRAIN_NS + 1);
        transports.remove(listening);
        until(() -> dialing.linkCount() == 0);
        assertEquals(1, dialing.linksCutShort());
        transports.add(listening);
        until(() -> accepted.getFirst().closed == 1);
        final byte[] arrived = accepted.getFirst().bytes.toByteArray();
        assertArrayEquals(Arrays.copyOf(taken, arrived.length), arrived);
    }

    @Test
    void closeOfTheTransport_peerDoesNotRead_endsInTimeAndIsCounted() throws IOException {
        final AtomicLong clock = new AtomicLong();
        final String at = transport().listen(Ucx.SHARED, Told.into(accepted));
        final UcxTransport dialing = timed(() -> clock.addAndGet(RdmaTransport.CLOSE_NS / 20));
        final Told dialed = dial(dialing, at);
        until(() -> dialed.connected == 1 && accepted.size() == 1);
        assertEquals(50_000, dialed.link.write(MemorySegment.ofArray(random(8)), 0, 50_000));
        transports.remove(dialing);
        final long before = clock.get();
        dialing.close();
        assertTrue(clock.get() - before < 2 * RdmaTransport.CLOSE_NS, () -> "closed after " + (clock.get() - before));
        assertEquals(1, dialing.linksCutShort());
    }

    /**
     * The limit is that of all links, also of several workers. The listeners are closed with callers that are gone,
     * which crashed while UCX looked for dead peers, in one of seven runs.
     */
    @RepeatedTest(8)
    void closeOfTheTransport_withSeveralWorkers_waitsForAllTogether() throws IOException {
        final AtomicLong clock = new AtomicLong();
        final List<String> ats = List.of(transport().listen(Ucx.SHARED, Told.into(accepted)),
            transport().listen(Ucx.TCP, Told.into(accepted)));
        final UcxTransport dialing = timed(() -> clock.addAndGet(RdmaTransport.CLOSE_NS / 20));
        for (String at : ats) {
            final Told dialed = dial(dialing, at);
            until(() -> dialed.connected == 1);
            assertEquals(50_000, dialed.link.write(MemorySegment.ofArray(random(8)), 0, 50_000));
        }
        transports.remove(dialing);
        final long before = clock.get();
        dialing.close();
        assertTrue(clock.get() - before < 2 * RdmaTransport.CLOSE_NS, () -> "closed after " + (clock.get() - before));
        assertEquals(2, dialing.linksCutShort());
    }

    /** Links whose peer does not answer take memory; beyond a limit the oldest is cut short. */
    @Test
    void closingLinks_beyondTheLimit_areCutShort() throws IOException {
        final UcxTransport listening = transport();
        final String at = listening.listen(Ucx.TCP, Told.into(accepted));
        final UcxTransport dialing = timed(() -> 0);
        final List<Told> all = new ArrayList<>();
        for (int i = 0; i < RdmaTransport.CLOSING_MAX + 3; i++) {
            final Told dialed = dial(dialing, at);
            all.add(dialed);
            until(() -> dialed.connected == 1);
        }
        until(() -> accepted.size() == all.size());
        all.forEach(it -> it.link.close());
        dialing.poll();
        assertEquals(3, dialing.linksCutShort());
        until(() -> dialing.linkCount() == 0);
        assertEquals(3, dialing.linksCutShort());
    }

    /** A node that is its own peer: a link that the dialer has opened and the listener has not, ends at once. */
    @Test
    void closeOfTheTransport_withALinkToItself_waitsForNothing() throws IOException {
        final AtomicLong clock = new AtomicLong();
        final UcxTransport its = timed(() -> clock.addAndGet(RdmaTransport.CLOSE_NS / 100_000));
        final String at = its.listen(Ucx.SHARED, Told.into(accepted));
        for (int i = 0; i < 20; i++) {
            final Told dialed = dial(its, at);
            until(() -> dialed.connected == 1);
        }
        transports.remove(its);
        its.close();
        assertEquals(0, its.linksCutShort());
    }

    // ---- addresses ----

    @Test
    void addressThatIsTaken_isRefused() throws IOException {
        final UcxTransport its = transport();
        final String at = its.listen(Ucx.ANY, Told.into(accepted));
        assertThrows(BindException.class, () -> its.listen(at, Told.into(accepted)));
        assertTrue(its.isLocal(at));
    }

    /** A node that is started again listens at its port, though its old connections are remembered by the system. */
    @Test
    void portOfEndedLinks_isListenedAtAgain() throws IOException {
        final UcxTransport dialing = transport();
        String at = Ucx.TCP;
        for (int start = 0; start < 3; start++) {
            final UcxTransport listening = new UcxTransport(Platform.SYSTEM);
            transports.add(listening);
            accepted.clear();
            at = listening.listen(at, Told.into(accepted));
            final Told dialed = dial(dialing, at);
            until(() -> dialed.connected == 1 && !accepted.isEmpty());
            transports.remove(listening);
            final CompletableFuture<Void> end = CompletableFuture.runAsync(listening::close);
            until(() -> dialed.closed == 1);
            end.join();
        }
    }

    /**
     * UCX 1.13 aborts a process whose peer ends while a path is made over TCP. Links that close at once end when both
     * directions have carried a message.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void links_thatCloseAtOnce_areMadeFirst(boolean isByLink) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            final UcxTransport listening = transport();
            accepted.clear();
            final Told dialed = dial(transport(), listening.listen(Ucx.TCP, Told.into(accepted)));
            until(() -> dialed.connected == 1);
            if (isByLink) {
                dialed.link.close();
            }
            TransportEnds.closeAll(transports);
            transports.clear();
        }
    }

    /** Shared memory alone: no endpoint of UCX needs TCP. */
    @Test
    void transportsWithoutTcp_carryLinks() throws IOException {
        final String at = transport().listen(Ucx.POSIX, Told.into(accepted));
        final Told dialed = dial(transport(), at);
        until(() -> dialed.connected == 1 && accepted.size() == 1);
        assertEquals(3, dialed.link.write(MemorySegment.ofArray(new byte[3]), 0, 3));
        until(() -> accepted.getFirst().bytes.size() == 3);
        dialed.link.close();
        until(() -> accepted.getFirst().closed == 1);
    }

    @Test
    void unknownTransportOfUcx_isRefused() {
        final UcxTransport its = transport();
        final IOException thrown = assertThrows(IOException.class,
            () -> its.listen("ucx:127.0.0.1:0|transports=pigeon", Told.into(accepted)));
        assertTrue(String.valueOf(thrown.getMessage()).contains("pigeon"), thrown::toString);
    }

    /** The agent looks names up. */
    @Test
    void namedHost_isToBeNumbered() throws IOException {
        final UcxTransport its = new UcxTransport(it -> UcxLinks.open(it, Platform.SYSTEM));
        transports.add(its);
        final String at = its.listen(Ucx.TCP, Told.into(accepted));
        final String named = "ucx:a.host" + at.substring("ucx:127.0.0.1".length());
        assertEquals("a.host", its.hostName(named));
        assertNull(its.hostName(at));
        assertThrows(IOException.class, () -> its.connect(named, new Told()));
        final Told told = dial(its, its.numbered(named, InetAddress.ofLiteral("127.0.0.1")));
        until(() -> told.connected == 1);
    }

    /** A machine without the library: a clear text, and no other address notices. */
    @Test
    void missingLibrary_addressSaysWhatToInstall() {
        final UcxTransport its = new UcxTransport(_ -> {
            throw new AddressException("addresses of the scheme ucx need UCX: apt-get install libucx0");
        });
        transports.add(its);
        final AddressException thrown = assertThrows(AddressException.class,
            () -> its.connect("ucx:127.0.0.1:7", new Told()));
        assertTrue(String.valueOf(thrown.getMessage()).contains("apt-get install libucx0"), thrown::toString);
        assertEquals(0, its.poll());
        its.await(1_000_000);
        its.wakeUp();
        its.await(Long.MAX_VALUE);
    }

    // ---- peers that do not speak the protocol ----

    private void until(Foreigner foreigner, BooleanSupplier isSo) {
        until(() -> {
            foreigner.worker.progress();
            return isSo.getAsBoolean();
        });
    }

    @Test
    void foreigner_otherHello_isCutOff() throws IOException {
        final UcxTransport its = transport();
        final String at = its.listen(Ucx.ANY, Told.into(accepted));
        try (Foreigner foreigner = new Foreigner(at)) {
            foreigner.memory.fill((byte) 'x');
            foreigner.sayBegin();
            until(foreigner, foreigner::isCutOff);
        }
        until(() -> its.linkCount() == 0);
        assertTrue(accepted.isEmpty(), accepted::toString);
    }

    /** Messages for a number that it was not given are dropped, and those of other places end its own link. */
    @Test
    void foreigner_otherNumbersAndPlaces_harmsItsOwnLinkOnly() throws IOException {
        final UcxTransport its = transport();
        final String at = its.listen(Ucx.ANY, Told.into(accepted));
        final Told honest = dial(transport(), at);
        until(() -> honest.connected == 1 && accepted.size() == 1);
        try (Foreigner foreigner = new Foreigner(at)) {
            foreigner.hello(17);
            until(foreigner, foreigner::isAnswered);
            final long number = foreigner.answered();
            assertEquals(1, accepted.size());
            foreigner.send(number, 0, PieceLayout.HEAD);
            until(foreigner, () -> foreigner.request.isDone() && accepted.size() == 2);
            final Told its2 = accepted.getLast();
            for (long other : new long[] {number ^ 1L << 40, number + 1, 0, -1, Integer.MAX_VALUE}) {
                foreigner.send(other, 1, 100);
                until(foreigner, foreigner.request::isDone);
            }
            for (int bytes : new int[] {1, PieceLayout.HEAD - 1, PieceLayout.SIZE + 1, 1 << 20}) {
                foreigner.send(number, 1, bytes);
                until(foreigner, foreigner.request::isDone);
            }
            foreigner.send(number, 1, PieceLayout.HEAD + 5);
            until(foreigner, () -> its2.bytes.size() == 5);
            assertEquals(0, its2.closed);
            foreigner.send(number, 3, PieceLayout.HEAD + 5);
            until(foreigner, () -> its2.closed == 1);
            assertTrue(String.valueOf(its2.why).contains("has sent message 3 in the place of 2"), its2::toString);
        }
        final byte[] bytes = {1, 2, 3};
        assertEquals(3, honest.link.write(MemorySegment.ofArray(bytes), 0, 3));
        until(() -> accepted.getFirst().bytes.size() == 3);
        assertEquals(0, honest.closed + accepted.getFirst().closed);
    }

    /** Connections without HELLO do not keep others out, and are ended when there are too many. */
    @FullTier("10 s of silence; UcxFuzzTest has hostile peers, and HostileTest silent ones over TCP")
    @Test
    void foreigners_silent_keepNoLinkOut() throws IOException {
        final UcxTransport its = timed(() -> 0);
        final String at = its.listen(Ucx.TCP, Told.into(accepted));
        final List<Foreigner> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                silent.add(new Foreigner(at));
            }
            until(() -> silent.stream().filter(Foreigner::isCutOff).count() >= 300 - ControlConnections.SILENT_MAX);
            final Told honest = dial(transport(), at);
            until(() -> honest.connected == 1 && accepted.size() == 1);
            assertTrue(silent.stream().filter(it -> !it.isCutOff()).count() >= ControlConnections.SILENT_MAX - 1);
        } finally {
            for (Foreigner it : silent) {
                it.close();
            }
        }
        until(() -> its.linkCount() == 1);
    }

    /** The time for HELLO, on the clock of the worker: a connection that says nothing is ended, and no other. */
    @Test
    void foreigner_withoutHello_isCutOffInTime() throws IOException {
        final AtomicLong clock = new AtomicLong();
        final UcxTransport its = timed(clock::get);
        final String at = its.listen(Ucx.TCP, Told.into(accepted));
        try (Foreigner silent = new Foreigner(at)) {
            final Told before = dial(its, at);
            until(() -> before.connected == 1);                 // so the silent one was accepted, too
            clock.set(ControlConnections.GREETING_NS);
            final Told after = dial(its, at);
            until(() -> after.connected == 1);
            assertFalse(silent.isCutOff());
            clock.incrementAndGet();
            until(silent, silent::isCutOff);
            assertEquals(0, before.closed + after.closed);
        }
    }

    /**
     * A peer that was answered, and sends nothing: its link ends in time, and was never handed out. Without TCP of UCX,
     * which may abort the process if a peer ends while a path is made.
     */
    @Test
    void foreigner_withoutFirstMessage_isCutOffInTime() throws IOException {
        final AtomicLong clock = new AtomicLong();
        final UcxTransport its = timed(clock::get);
        final String at = its.listen(Ucx.POSIX, Told.into(accepted));
        try (Foreigner silent = new Foreigner(at)) {
            silent.hello(17);
            until(silent, silent::isAnswered);
            clock.set(ControlConnections.GREETING_NS);
            for (int i = 0; i < 1_000; i++) {
                its.poll();
            }
            assertEquals(1, its.linkCount());
            clock.incrementAndGet();
            until(silent, silent::isCutOff);
            until(() -> its.linkCount() == 0);
        }
        assertTrue(accepted.isEmpty(), accepted::toString);
    }

    /**
     * The worker sees the end of the connection before it has looked at the last messages, as if it was busy: they are
     * more than UCX hands on in one look.
     */
    @ParameterizedTest
    @ValueSource(strings = {Ucx.SHARED, Ucx.TCP})
    void link_whoseEndIsSeenBeforeItsLastBytes_hasThem(String address) throws IOException {
        final AtomicReference<UcxLinks> links = new AtomicReference<>();
        final UcxTransport its = new UcxTransport(transport -> {
            links.set(UcxLinks.open(transport, Platform.SYSTEM));
            return links.get();
        });
        transports.add(its);
        final String at = its.listen(address, Told.into(accepted));
        try (Foreigner foreigner = new Foreigner(at)) {
            foreigner.hello(17);
            until(foreigner, foreigner::isAnswered);
            final long number = foreigner.answered();
            foreigner.send(number, 0, PieceLayout.HEAD);
            until(foreigner, () -> foreigner.request.isDone() && accepted.size() == 1);
            until(foreigner, foreigner::isReached);             // nothing of the path is left to be made by both sides
            for (int place = 1; place <= LAST_MESSAGES; place++) {
                foreigner.send(number, place, PieceLayout.HEAD + 1);
                foreigner.finish();
            }
        }
        Threads.await("the end of the connection", () -> links.get().hasWork()); // no poll, no other work
        until(() -> accepted.getFirst().closed == 1);
        assertEquals(LAST_MESSAGES, accepted.getFirst().bytes.size());
        until(() -> its.linkCount() == 0);
    }

    /** Data that comes before the end is handed on before the end is reported. */
    @Test
    void link_whosePeerIsGone_isReportedAfterItsBytes() throws IOException {
        final UcxTransport its = transport();
        final String at = its.listen(Ucx.TCP, Told.into(accepted));
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (Foreigner foreigner = new Foreigner(at)) {
            foreigner.hello(17);
            until(foreigner, foreigner::isAnswered);
            foreigner.send(foreigner.answered(), 0, PieceLayout.HEAD + 1_000);
            expected.writeBytes(foreigner.memory.asSlice(PieceLayout.HEAD, 1_000).toArray(ValueLayout.JAVA_BYTE));
            until(foreigner, foreigner.request::isDone);
            foreigner.path.flush(foreigner.request);
            until(foreigner, foreigner.request::isDone);
            until(foreigner, foreigner::isReached);
        }
        until(() -> accepted.getFirst().closed == 1);
        assertArrayEquals(expected.toByteArray(), accepted.getFirst().bytes.toByteArray());
        assertNotNull(accepted.getFirst().why);
        until(() -> its.linkCount() == 0);
    }
}
