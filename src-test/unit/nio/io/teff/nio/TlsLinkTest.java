package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.LinkEvents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a write that fails midway returns the number of bytes that the peer may have received, and links that share the
 * buffers of their agent do not mix partial records.
 */
final class TlsLinkTest {
    private static final TlsKeys KEYS = TlsKeys.make();
    private static final SSLContext CONTEXT = KEYS.trusting(KEYS);
    private static final int BYTES = 256 << 10;
    private static final int MUCH = 2 << 20;
    private static final int LINKS = 3;
    private static final int HALF_RECORD_BYTES = 10_000;
    private static final int HELLO = 88;
    private static final int ANSWER_POLLS = 20;
    private static final int POLLS_MAX = 10_000;
    private static final long MILLISECOND_NS = 1_000_000;

    private final TcpTransport one = new TcpTransport(CONTEXT);
    private final TcpTransport two = new TcpTransport(CONTEXT);

    TlsLinkTest() throws IOException {}

    /**
     * A socket that fails after a number of writes. Every second write takes some bytes, and the other writes take
     * none. An action runs behind each write.
     */
    private static final class SlyChannel extends SocketChannel {
        private final SocketChannel its;
        private int writesLeft = Integer.MAX_VALUE;
        private int bytesMax = Integer.MAX_VALUE;
        private boolean isFull;
        private Runnable whenWritten = () -> { };

        SlyChannel(SocketChannel its) {
            super(its.provider());
            this.its = its;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (writesLeft-- == 0) {
                throw new IOException("planned");
            }
            isFull = !isFull && bytesMax < Integer.MAX_VALUE;
            final int limit = from.limit();
            from.limit(from.position() + (isFull ? 0 : Math.min(from.remaining(), bytesMax)));
            final int bytes = its.write(from);
            from.limit(limit);
            whenWritten.run();
            return bytes;
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return its.read(to);
        }

        @Override
        public long read(ByteBuffer[] to, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel bind(SocketAddress local) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> SocketChannel setOption(SocketOption<T> name, T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getOption(SocketOption<T> name) throws IOException {
            return its.getOption(name);
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return its.supportedOptions();
        }

        @Override
        public SocketChannel shutdownInput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel shutdownOutput() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket socket() {
            return its.socket();
        }

        @Override
        public boolean isConnected() {
            return its.isConnected();
        }

        @Override
        public boolean isConnectionPending() {
            return its.isConnectionPending();
        }

        @Override
        public boolean connect(SocketAddress remote) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean finishConnect() throws IOException {
            return its.finishConnect();
        }

        @Override
        public SocketAddress getRemoteAddress() throws IOException {
            return its.getRemoteAddress();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return its.getLocalAddress();
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            its.close();
        }

        @Override
        protected void implConfigureBlocking(boolean isBlocking) {
            throw new UnsupportedOperationException();
        }
    }

    /** Records the events of a link. */
    private static final class Told implements LinkEvents {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int connected;
        private int closed;
        private Runnable whenConnected = () -> { };

        @Override
        public void connected() {
            connected++;
            whenConnected.run();
        }

        @Override
        public void bytes(MemorySegment memory, long from, int count) {
            bytes.writeBytes(memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void writable() {}

        @Override
        public void closed(@Nullable IOException why) {
            closed++;
        }
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private void until(BooleanSupplier isSo) {
        for (int polls = 0; !isSo.getAsBoolean(); polls++) {
            assertTrue(polls < POLLS_MAX, "it did not come about");
            one.await(MILLISECOND_NS);
            one.poll();
            two.poll();
        }
    }

    /** The link writes to the channel that wraps its socket. */
    private TcpLink dial(SocketChannel channel, SocketChannel front, TlsBuffers buffers, InetSocketAddress at,
                         Told told) throws IOException {
        final TcpLink link = new TcpLink(one, front, new TlsChannel(front, CONTEXT, true, buffers), "tcp:there");
        link.setEvents(told);
        one.connect(link, channel, at);
        return link;
    }

    private static SocketChannel channel() throws IOException {
        final SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Test
    void write_socketFailsAtALaterRecord_returnsBytesThatMayHaveArrived() throws IOException {
        final Told far = new Told();
        final InetSocketAddress at = TcpAddress.parse(two.listen("tcp:127.0.0.1:0", _ -> far));
        final SocketChannel channel = channel();
        final SlyChannel failing = new SlyChannel(channel);
        final Told near = new Told();
        final TcpLink link = dial(channel, failing, new TlsBuffers(), at, near);
        until(() -> near.connected == 1 && far.connected == 1);
        failing.writesLeft = 2;
        final int taken = link.write(Arena.ofAuto().allocate(BYTES), 0, BYTES);
        until(() -> near.closed == 1 && far.closed == 1);
        assertTrue(far.bytes.size() > 0 && far.bytes.size() < BYTES, () -> far.bytes.size() + " bytes came");
        assertTrue(taken >= far.bytes.size() && taken < BYTES,
            () -> far.bytes.size() + " bytes came, and told were " + taken);
        assertEquals(0, link.write(Arena.ofAuto().allocate(1), 0, 1));
    }

    /** The peer answers at once during the handshake of this side, and sends nothing more. */
    @Test
    void bytesBehindAHandshake_areReadWithoutASocketEvent() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final Told near = new Told();
            final SocketChannel dialed = channel();
            final SlyChannel asking = new SlyChannel(dialed);
            final AtomicInteger said = new AtomicInteger();
            asking.whenWritten = said::incrementAndGet;
            final TcpLink link = dial(dialed, asking, new TlsBuffers(), (InetSocketAddress) server.getLocalAddress(),
                near);
            near.whenConnected = () -> assertEquals(HELLO, link.write(Arena.ofAuto().allocate(HELLO), 0, HELLO));
            final SocketChannel accepted = server.accept();
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final SlyChannel sly = new SlyChannel(accepted);
            final TcpLink its = new TcpLink(two, sly, new TlsChannel(sly, CONTEXT, false, new TlsBuffers()), "tcp:one");
            final Told far = new Told();
            its.setEvents(far);
            sly.whenWritten = () -> {
                for (int i = 0; i < ANSWER_POLLS && near.connected == 0; i++) {
                    one.await(MILLISECOND_NS);
                    one.poll();
                }
            };
            until(() -> said.get() == 1);
            two.begin(its, accepted);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 12);
            its.report(buffer, MemorySegment.ofBuffer(buffer));    // as in the poll that has accepted it
            until(() -> far.bytes.size() == HELLO);
            assertEquals(1, far.connected);
        }
    }

    /** Each link repeatedly has a partial record, on both sides, while the other link has its turn. */
    @Test
    void linksThatShareBuffers_takeNoBytesOfEachOther() throws IOException {
        final TlsBuffers buffers = new TlsBuffers();
        final List<Told> far = new ArrayList<>();
        final List<TcpLink> links = new ArrayList<>();
        final InetSocketAddress at = TcpAddress.parse(two.listen("tcp:127.0.0.1:0", _ -> {
            far.add(new Told());
            return far.getLast();
        }));
        for (int i = 0; i < LINKS; i++) {
            final SocketChannel channel = channel();
            final SlyChannel slow = new SlyChannel(channel);
            final int count = i + 1;
            links.add(dial(channel, slow, buffers, at, new Told()));
            until(() -> far.size() == count && far.getLast().connected == 1);
            slow.bytesMax = HALF_RECORD_BYTES;
        }
        final byte[][] contents = new byte[LINKS][MUCH];
        final int[] taken = new int[LINKS];
        for (int i = 0; i < LINKS; i++) {
            new SplittableRandom(i).nextBytes(contents[i]);
        }
        int stops = 0;
        while (far.stream().anyMatch(it -> it.bytes.size() < MUCH)) {
            for (int i = 0; i < LINKS; i++) {
                final int left = MUCH - taken[i];
                final int more = left == 0 ? 0 : links.get(i).write(MemorySegment.ofArray(contents[i]), taken[i], left);
                taken[i] += more;
                stops += more < left ? 1 : 0;
            }
            two.poll();                                         // has the front of a record of each
            one.poll();
            two.poll();
            assertTrue(far.stream().allMatch(it -> it.closed == 0), () -> "a link has ended, having " + taken[0]);
        }
        for (int i = 0; i < LINKS; i++) {
            assertArrayEquals(contents[i], far.get(i).bytes.toByteArray());
        }
        assertTrue(stops > LINKS, "the sockets took all");
    }
}
