package io.teff.test.net;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connects plain sockets with links of a transport, byte by byte: a peer over a socket reaches a network that listens
 * at an address of the transport, and such a network dials a socket. The end of either side ends the other. Over TCP
 * there is nothing between them.
 *
 * <p>One thread polls everything. It dials one link after the other, so links reach the network in the order of their
 * sockets.
 */
public final class Relay implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int BACKLOG = 4_096;
    private static final long PARK_NS = 50_000;

    private final String listenAt;
    private final @Nullable Transport transport;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<Door> doors = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    /** What was read last; a pair copies what its link does not take. */
    private final ByteBuffer read = ByteBuffer.allocate(BUFFER);
    private @Nullable Pair dialing;
    private volatile boolean isOver;
    private @Nullable Thread thread;

    /** A socket that listens, and the address of the network that its peers reach. */
    private record Door(ServerSocketChannel socket, String target) {}

    /** A socket and a link. */
    private final class Pair implements LinkEvents {
        private final @Nullable SocketChannel socket;
        private ByteBuffer unsent = NOTHING;
        private final ArrayDeque<ByteBuffer> received = new ArrayDeque<>();
        private @Nullable Link link;
        private boolean isConnected;
        private boolean isSocketOver;
        private boolean isLinkOver;

        Pair(@Nullable SocketChannel socket) {
            this.socket = socket;
        }

        @Override
        public void connected() {
            isConnected = true;
        }

        @Override
        public void bytes(MemorySegment memory, long from, int bytes) {
            received.add(ByteBuffer.wrap(memory.asSlice(from, bytes).toArray(ValueLayout.JAVA_BYTE)));
        }

        @Override
        public void writable() {}

        @Override
        public void closed(@Nullable IOException why) {
            isLinkOver = true;
        }

        /** Moves bytes in both directions; returns their number, or -1 at the end. */
        int pump() {
            final SocketChannel its = socket;
            if (its == null) {
                endLink();
                return -1;
            }
            try {
                final int work = send(its) + receive(its);
                if (isLinkOver && received.isEmpty()) {
                    its.close();
                    return -1;
                }
                return work;
            } catch (IOException _) {                           // a reset by the peer
                endLink();
                close();
                return -1;
            }
        }

        private int send(SocketChannel from) throws IOException {
            int work = 0;
            while (isConnected && !isLinkOver && link != null) {
                final int taken = link.write(MemorySegment.ofArray(unsent.array()), unsent.position(),
                    unsent.remaining());
                unsent.position(unsent.position() + taken);
                work += taken;
                if (unsent.hasRemaining()) {
                    unsent = ByteBuffer.allocate(unsent.remaining()).put(unsent).flip();
                    break;
                }
                unsent = NOTHING;
                if (isSocketOver) {
                    endLink();
                    break;
                }
                final int count = from.read(read.clear());
                isSocketOver = count < 0;
                if (count == 0) {
                    break;
                }
                unsent = read.flip();
            }
            return work;
        }

        private int receive(SocketChannel to) throws IOException {
            int work = 0;
            for (ByteBuffer next = received.peek(); next != null; next = received.peek()) {
                work += to.write(next);
                if (next.hasRemaining()) {
                    break;
                }
                received.remove();
            }
            return work;
        }

        private void endLink() {
            if (!isLinkOver && link != null) {
                link.close();
            }
            isLinkOver = true;
        }

        void close() {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /**
     * Makes a relay.
     *
     * @param listenAt an address of the transport, at any port of this machine
     */
    public Relay(String listenAt) {
        this.listenAt = listenAt;
        final String scheme = listenAt.substring(0, listenAt.indexOf(':'));
        if (scheme.equals("tcp")) {
            transport = null;
            return;
        }
        Relay.class.getModule().addUses(TransportProvider.class);   // a module of tests has no declaration of its own
        final Transport opened = ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get)
            .filter(it -> it.scheme().equals(scheme)).findFirst().orElseThrow().open(new TransportOptions(null));
        transport = opened;
        thread = Thread.ofPlatform().daemon().name("relay").start(() -> run(opened));
    }

    private void run(Transport its) {
        while (!isOver) {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            int work = its.poll() + accept(its);
            for (int i = pairs.size() - 1; i >= 0; i--) {
                final int moved = pairs.get(i).pump();
                work += Math.abs(moved);
                if (moved < 0) {
                    pairs.remove(i);
                }
            }
            if (work == 0) {
                LockSupport.parkNanos(PARK_NS);
            }
        }
        pairs.forEach(Pair::close);
        its.close();
    }

    private int accept(Transport its) {
        final Pair last = dialing;
        if (last != null && !last.isConnected && !last.isLinkOver) {
            return 0;
        }
        for (Door door : doors) {
            try {
                final SocketChannel socket = door.socket.accept();
                if (socket != null) {
                    socket.configureBlocking(false);
                    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    final Pair pair = new Pair(socket);
                    pairs.add(pair);
                    dialing = pair;
                    pair.link = its.connect(door.target, pair);
                    return 1;
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return 0;
    }

    private <T> T inside(Callable<T> task) throws IOException {
        final CompletableFuture<T> done = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
    }

    /** {@return the port at which plain sockets reach a network} */
    public int to(String target) throws IOException {
        if (transport == null) {
            return Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
        }
        final ServerSocketChannel socket = ServerSocketChannel.open();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        socket.configureBlocking(false);
        inside(() -> doors.add(new Door(socket, target)));
        return socket.socket().getLocalPort();
    }

    /** {@return an address at which networks reach a plain socket that listens} */
    public String trap(int port) throws IOException {
        final Transport its = transport;
        if (its == null) {
            return "tcp:127.0.0.1:" + port;
        }
        return inside(() -> its.listen(listenAt, link -> {
            final Pair pair = new Pair(socket(port));
            pair.link = link;
            pairs.add(pair);
            return pair;
        }));
    }

    private static @Nullable SocketChannel socket(int port) {
        try {
            final SocketChannel socket = SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.configureBlocking(false);
            return socket;
        } catch (IOException _) {
            return null;                                        // closed meanwhile: so is the link
        }
    }

    /** Ends all links and sockets. */
    @Override
    public void close() throws IOException {
        isOver = true;
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        for (Door door : doors) {
            door.socket.close();
        }
    }
}
