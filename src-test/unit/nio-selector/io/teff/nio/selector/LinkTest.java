package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections by UCX between two providers: what a script of a single thread does not reach. */
@Timeout(120)
final class LinkTest {
    private static final int SHUTDOWNS = Form.size(20, 200);
    private static final int STREAM_BYTES = 20 << 20;

    @TempDir
    private Path folder;
    private Providers providers;

    @BeforeEach
    void open() throws IOException {
        providers = new Providers(folder);
        providers.assumeLinks();
    }

    @AfterEach
    void close() throws IOException {
        providers.close();
    }

    /** The two ends of a connection. */
    private record Pair(SocketChannel client, SocketChannel server) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    private Pair connect() throws IOException {
        try (ServerSocketChannel listener = Providers.listen(providers.server)) {
            final SocketChannel client = providers.client.openSocketChannel();
            client.connect(listener.getLocalAddress());
            return new Pair(client, listener.accept());
        }
    }

    private long count(LinkReason reason) {
        return providers.client.counts().get(reason);
    }

    @Test
    void streams_inBothDirections_arriveWhole() throws Exception {
        try (Pair pair = connect()) {
            assertTrue(count(LinkReason.UCX) > 1);
            Threads.runAll(4, part -> {
                final SocketChannel channel = part % 2 == 0 ? pair.client() : pair.server();
                if (part < 2) {
                    send(channel, part);
                } else {
                    receive(channel, 1 - part % 2);
                }
            });
        }
        Threads.await("links to end", () -> providers.client.linkCount() == 0 && providers.server.linkCount() == 0);
    }

    private static void send(SocketChannel channel, long seed) throws IOException {
        final SplittableRandom random = new SplittableRandom(seed);
        final ByteBuffer buffer = ByteBuffer.allocateDirect(100_000);
        int left = STREAM_BYTES;
        while (left > 0) {
            buffer.clear().limit(Math.min(left, 1 + random.nextInt(buffer.capacity())));
            for (int i = 0; i < buffer.limit(); i++) {
                buffer.put(i, (byte) (STREAM_BYTES - left + i));
            }
            left -= buffer.limit();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
        channel.shutdownOutput();
    }

    private static void receive(SocketChannel channel, long seed) throws IOException {
        final SplittableRandom random = new SplittableRandom(seed);
        final ByteBuffer buffer = ByteBuffer.allocate(100_000);
        int count = 0;
        while (channel.read(buffer.clear().limit(1 + random.nextInt(buffer.capacity()))) >= 0) {
            buffer.flip();
            for (int i = 0; i < buffer.limit(); i++) {
                if (buffer.get(i) != (byte) (count + i)) {
                    throw new AssertionError("byte " + (count + i));
                }
            }
            count += buffer.limit();
        }
        assertEquals(STREAM_BYTES, count);
    }

    @Test
    void bytes_writtenBeforeTheAccept_arriveBehindIt() throws IOException {
        final SocketChannel client = providers.client.openSocketChannel();
        try (ServerSocketChannel listener = Providers.listen(providers.server)) {
            client.connect(listener.getLocalAddress());
            client.write(ByteBuffer.wrap("early".getBytes(StandardCharsets.US_ASCII)));
            client.close();
            try (SocketChannel server = listener.accept()) {
                final ByteBuffer bytes = ByteBuffer.allocate(10);
                while (server.read(bytes) >= 0) {
                    assertTrue(bytes.hasRemaining());
                }
                assertEquals("early", new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
            }
        }
    }

    /** The process of the client ends before the server accepts; the server knows of the end. */
    @Test
    void bytes_ofAProcessThatHasEndedBeforeTheAccept_arriveWhole() throws IOException {
        endBeforeAccept(true);
    }

    /** The process of the client ends before the server accepts; the server learns of the end behind the accept. */
    @Test
    void bytes_ofAProcessThatEndsBeforeTheAccept_arriveWhole() throws IOException {
        endBeforeAccept(false);
    }

    private void endBeforeAccept(boolean isKnown) throws IOException {
        final int before = providers.server.linkCount();
        final TeffSocketChannel client = (TeffSocketChannel) providers.client.openSocketChannel();
        try (ServerSocketChannel listener = Providers.listen(providers.server)) {
            client.connect(listener.getLocalAddress());
            client.write(ByteBuffer.wrap("early".getBytes(StandardCharsets.US_ASCII)));
            client.inner().close();                             // as the system closes the connections of a process
            providers.client.close();
            if (isKnown) {
                Threads.await("the end of the agreement", () -> providers.server.linkCount() <= before);
            }
            try (SocketChannel server = listener.accept()) {
                final ByteBuffer bytes = ByteBuffer.allocate(10);
                while (server.read(bytes) >= 0) {
                    assertTrue(bytes.hasRemaining());
                }
                assertEquals("early", new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
            }
        }
        client.close();
    }

    /** More bytes than a client sends over TCP before the accept, and a server that speaks first. */
    @Test
    void bytes_aroundTheAccept_keepTheirOrder() throws Exception {
        try (ServerSocketChannel listener = Providers.listen(providers.server);
                SocketChannel client = providers.client.openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            final Threads.Running writer = Threads.start("writer", number -> send(client, 1));
            Threads.await("the first bytes", () -> isAsleep(writer.thread()));
            try (SocketChannel server = listener.accept()) {
                server.write(ByteBuffer.wrap(new byte[] {7}));
                receive(server, 1);
                final ByteBuffer one = ByteBuffer.allocate(1);
                client.read(one);
                assertArrayEquals(new byte[] {7}, one.array());
            }
            writer.end();
        }
    }

    @Test
    void bytes_ofAListenerThatCloses_endAsAReset() throws IOException {
        try (SocketChannel client = providers.client.openSocketChannel()) {
            try (ServerSocketChannel listener = Providers.listen(providers.server)) {
                client.connect(listener.getLocalAddress());
            }
            assertThrows(IOException.class, () -> {
                if (client.read(ByteBuffer.allocate(1)) < 0) {
                    throw new IOException("the end is as good: the system chooses");
                }
            });
        }
    }

    @Test
    void connect_whereAnotherProgramListensNow_carriesOnByTcp() throws Exception {
        final InetSocketAddress address;
        try (ServerSocketChannel listener = Providers.listen(providers.server)) {
            address = (InetSocketAddress) listener.getLocalAddress();
        }
        try (ServerSocketChannel other = Providers.JDK.openServerSocketChannel().bind(address);
                SocketChannel client = providers.client.openSocketChannel()) {
            client.connect(address);
            try (SocketChannel server = other.accept()) {
                server.write(ByteBuffer.wrap(new byte[] {7}));
                final ByteBuffer one = ByteBuffer.allocate(1);
                client.read(one);
                assertArrayEquals(new byte[] {7}, one.array());
            }
        }
        assertEquals(1, count(LinkReason.NO_LISTENER));
    }

    @Test
    void read_whenClosedOrInterrupted_endsAsTheJdkDoes() throws Exception {
        try (Pair first = connect(); Pair second = connect()) {
            assertEquals(AsynchronousCloseException.class, failure(first.client(), thread -> first.client().close()));
            assertEquals(ClosedByInterruptException.class, failure(second.server(), Thread::interrupt));
            assertFalse(second.server().isOpen());
        }
    }

    private interface Ending {
        void end(Thread thread) throws IOException;
    }

    private boolean isAsleep(Thread waiter) {
        return waiter.getState() == Thread.State.TIMED_WAITING || providers.client.isKeptBy(waiter)
            || providers.server.isKeptBy(waiter);
    }

    private Class<?> failure(SocketChannel channel, Ending ending) throws Exception {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread reader = Thread.ofPlatform().start(() -> {
            try {
                channel.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                failure.set(e);
            }
        });
        Threads.await("a waiting reader", () -> isAsleep(reader));
        ending.end(reader);
        reader.join(TimeUnit.SECONDS.toMillis(10));
        return failure.get() == null ? Object.class : failure.get().getClass();
    }

    /** Bytes that have come before do not come out any more, as in the JDK's channel. */
    @Test
    void shutdownInput_endsWaitingReadsAndLaterOnes() throws Exception {
        try (Pair pair = connect()) {
            final AtomicReference<Integer> end = new AtomicReference<>();
            final Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    end.set(pair.client().read(ByteBuffer.allocate(1)));
                } catch (IOException e) {
                    end.set(0);
                }
            });
            Threads.await("a waiting reader", () -> isAsleep(reader));
            pair.client().shutdownInput();
            reader.join(TimeUnit.SECONDS.toMillis(10));
            assertEquals(-1, end.get());
            assertEquals(3, pair.server().write(ByteBuffer.wrap(new byte[3])));
            assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
            pair.client().configureBlocking(false);
            assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        }
        try (Pair pair = connect()) {
            assertEquals(3, pair.server().write(ByteBuffer.wrap(new byte[3])));
            assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
            pair.client().shutdownInput();
            assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        }
    }

    /** The reader has looked, or not, and waits, or not yet. */
    @Test
    void shutdownInput_besideTheBeginOfARead_endsTheRead() throws Exception {
        for (int i = 0; i < SHUTDOWNS; i++) {
            try (Pair pair = connect()) {
                final FutureTask<Integer> read = new FutureTask<>(() -> pair.client().read(ByteBuffer.allocate(1)));
                final CountDownLatch isRunning = new CountDownLatch(1);
                Thread.ofPlatform().start(() -> {
                    isRunning.countDown();
                    read.run();
                });
                isRunning.await();
                pair.client().shutdownInput();
                assertEquals(-1, read.get(30, TimeUnit.SECONDS), "shutdown " + i);
            }
        }
    }

    /** The helper may take the signal for the reader together with the signal that sends the helper away. */
    @Test
    void shutdownInput_ofAReaderThatTakesOverFromTheHelper_endsTheRead() throws Exception {
        for (int i = 0; i < SHUTDOWNS; i++) {
            try (Pair pair = connect()) {
                Threads.await("a sleeping helper", () -> providers.client.isKeptByHelper());
                final FutureTask<Integer> read = new FutureTask<>(() -> pair.client().read(ByteBuffer.allocate(1)));
                final Thread reader = Thread.ofPlatform().start(read);
                Threads.await("a reader that keeps", () -> isAsleep(reader));
                pair.client().shutdownInput();
                assertEquals(-1, read.get(30, TimeUnit.SECONDS), "shutdown " + i);
            }
        }
    }

    @Test
    void select_withForeignChannels_findsAll() throws IOException {
        final Pipe pipe = providers.client.openPipe();
        try (Pair pair = connect(); Selector selector = providers.client.openSelector();
                DatagramChannel datagrams = providers.client.openDatagramChannel()) {
            pair.client().configureBlocking(false);
            pipe.source().configureBlocking(false);
            datagrams.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
            final List<SelectionKey> keys = new ArrayList<>();
            keys.add(pair.client().register(selector, SelectionKey.OP_READ));
            keys.add(pipe.source().register(selector, SelectionKey.OP_READ));
            keys.add(datagrams.register(selector, SelectionKey.OP_READ));
            assertEquals(0, selector.selectNow());
            pair.server().write(ByteBuffer.wrap(new byte[1]));
            pipe.sink().write(ByteBuffer.wrap(new byte[1]));
            datagrams.send(ByteBuffer.wrap(new byte[1]), datagrams.getLocalAddress());
            while (!selector.selectedKeys().containsAll(keys)) {
                selector.select(10_000);
            }
            keys.forEach(SelectionKey::cancel);
            selector.selectNow();
            assertTrue(selector.keys().isEmpty() && !datagrams.isRegistered() && !pair.client().isRegistered());
        } finally {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void connect_withoutAListener_failsAsTheJdkDoes() throws IOException {
        final SocketChannel client = providers.client.openSocketChannel();
        assertThrows(ConnectException.class, () -> client.connect(new InetSocketAddress("127.0.0.1", 1)));
        assertFalse(client.isOpen());
    }

    @Test
    void socketView_readsWritesAndKnowsOptions() throws IOException {
        try (ServerSocketChannel listener = providers.server.openServerSocketChannel()) {
            listener.socket().bind(new InetSocketAddress("127.0.0.1", 0), 5);
            final Socket client = providers.client.openSocketChannel().socket(); // closed with its channel
            client.connect(listener.socket().getLocalSocketAddress(), 10_000);
            final Socket server = listener.socket().accept();
            client.getOutputStream().write(new byte[] {1, 2, 3});
            assertArrayEquals(new byte[] {1, 2, 3}, server.getInputStream().readNBytes(3));
            assertTrue(count(LinkReason.UCX) > 1);
            client.setTcpNoDelay(true);
            assertTrue(client.getChannel().getOption(StandardSocketOptions.TCP_NODELAY));
            client.shutdownOutput();
            assertEquals(-1, server.getInputStream().read());
            server.getChannel().close();
            client.getChannel().close();
        }
    }

    /** Another program listens at the port of an agreement, and speaks first. */
    @Test
    void link_whenAnotherProgramSpeaks_fallsBackWithAllBytes() throws IOException {
        fallBack(true);
    }

    /** Another program listens at the port of an agreement and waits, and the listener of the agreement closes. */
    @Test
    void link_whenTheListenerIsClosed_fallsBackWithAllBytes() throws IOException {
        fallBack(false);
    }

    private void fallBack(boolean isSpeaking) throws IOException {
        final TeffServerSocketChannel listener = (TeffServerSocketChannel) Providers.listen(providers.server);
        final InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        listener.inner().close();                               // the agreement stays possible
        try (ServerSocketChannel other = Providers.JDK.openServerSocketChannel().bind(address);
                SocketChannel client = providers.client.openSocketChannel()) {
            client.connect(address);
            assertEquals(5, client.write(ByteBuffer.wrap("early".getBytes(StandardCharsets.US_ASCII))));
            try (SocketChannel server = other.accept()) {
                if (isSpeaking) {
                    server.write(ByteBuffer.wrap(new byte[] {7}));
                    assertEquals(1, client.read(ByteBuffer.allocate(2)));
                } else {
                    listener.close();
                }
                client.write(ByteBuffer.wrap("late".getBytes(StandardCharsets.US_ASCII)));
                client.shutdownOutput();
                final ByteBuffer bytes = ByteBuffer.allocate(20);
                while (server.read(bytes) >= 0) {
                    assertTrue(bytes.hasRemaining());
                }
                assertEquals("earlylate", new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
                server.write(ByteBuffer.wrap(new byte[] {8}));
                assertEquals(1, client.read(ByteBuffer.allocate(2)));
            }
        } finally {
            listener.close();
        }
        assertEquals(1, count(LinkReason.FELL_BACK));
    }

    @Test
    void stream_whoseProgramEnds_isResetBehindTheLastByte() throws IOException {
        try (Pair pair = connect()) {
            pair.server().write(ByteBuffer.wrap(new byte[3]));
            ((TeffSocketChannel) pair.server()).inner().close(); // as the system closes the connections of a process
            final ByteBuffer bytes = ByteBuffer.allocate(10);
            assertThrows(IOException.class, () -> {
                while (pair.client().read(bytes) >= 0) {
                    assertTrue(bytes.hasRemaining());
                }
            });
            assertEquals(3, bytes.position());
        }
    }

    @Test
    void select_ofAnIdleLink_endsInTime() throws IOException {
        try (Pair pair = connect(); Selector selector = providers.client.openSelector()) {
            pair.client().configureBlocking(false);
            pair.client().register(selector, SelectionKey.OP_READ);
            long bestNs = Long.MAX_VALUE;
            for (int i = 0; i < 10; i++) {
                final long beginNs = System.nanoTime();
                assertEquals(0, selector.select(20));
                bestNs = Math.min(bestNs, System.nanoTime() - beginNs);
            }
            final long best = bestNs;
            assertTrue(best >= 19_000_000 && best < 22_000_000, () -> best + " ns");
        }
    }
}
