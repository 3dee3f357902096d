package io.teff.test.bench.rdma;

import io.teff.test.bench.load.Crew;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Sockets whose threads wait in the kernel: a socket and two threads for each pair of ends, a call for each message.
 */
final class BlockingSockets {
    private static final int READ_BYTES = 256 << 10;
    private static final int DIGITS = 3;
    private static final int EXTRA = 100;

    private final RdmaCase what;
    private final long measureNs;
    private final InetSocketAddress left;
    private final InetSocketAddress right;

    /** The ends of a connection. */
    private record Pair(SocketChannel sender, SocketChannel receiver) {}

    BlockingSockets(RdmaCase what, long measureNs, InetSocketAddress left, InetSocketAddress right) {
        this.what = what;
        this.measureNs = measureNs;
        this.left = left;
        this.right = right;
    }

    Measured run() throws Exception {
        final List<Pair> pairs = new ArrayList<>();
        try {
            for (int from = 0; from < what.pattern().ends(); from++) {
                for (int to : what.pattern().targets(from)) {
                    pairs.add(connect(from % 2 == 0 ? left : right, to % 2 == 0 ? left : right));
                    if (what.pattern() == RdmaPattern.PING_PONG) {
                        return pingPong(pairs.getFirst());
                    }
                }
            }
            return rates(pairs);
        } finally {
            for (Pair pair : pairs) {
                pair.sender.close();
                pair.receiver.close();
            }
        }
    }

    private static Pair connect(InetSocketAddress from, InetSocketAddress to) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(to)) {
            final SocketChannel sender = SocketChannel.open();
            sender.bind(from).connect(server.getLocalAddress());
            sender.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new Pair(sender, server.accept().setOption(StandardSocketOptions.TCP_NODELAY, true));
        }
    }

    private static void write(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** Fills a buffer; returns false at the end. */
    private static boolean read(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                return false;
            }
        }
        return true;
    }

    private Measured pingPong(Pair pair) throws InterruptedException {
        final Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
        final long[] ns = new long[1];
        final long[] allocated = new long[1];
        Crew.run(2, thread -> {
            final ByteBuffer message = ByteBuffer.allocateDirect(what.bytes());
            if (thread == 1) {
                while (read(pair.receiver, message.clear())) {
                    write(pair.receiver, message.flip());
                }
                return;
            }
            for (int phase = 0; phase < 2; phase++) {
                histogram.reset();
                final long before = Used.allocated();
                final long begin = System.nanoTime();
                long start = begin;
                while (start - begin < measureNs) {
                    write(pair.sender, message.clear());
                    read(pair.sender, message.clear());
                    final long now = System.nanoTime();
                    histogram.recordValue(Math.min(now - start, histogram.getHighestTrackableValue()));
                    start = now;
                }
                ns[0] = start - begin;
                allocated[0] = Used.allocated() - before;
            }
            pair.sender.shutdownOutput();
        });
        return new Measured(histogram, histogram.getTotalCount(), ns[0], 0, allocated[0], Double.NaN);
    }

    private Measured rates(List<Pair> pairs) throws InterruptedException {
        final LongAdder bytes = new LongAdder();
        final Measured[] result = new Measured[1];
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread meter = Thread.ofPlatform().start(() -> {
            pauseUntilMore(bytes, 0);
            final long before = bytes.sum();
            final Used used = Used.now();
            pauseUntilMore(bytes, before + what.bytes());
            final long moved = bytes.sum() - before;
            final Used since = Used.now().since(used);
            result[0] = new Measured(new Histogram(DIGITS), moved / what.bytes(), since.ns(), since.cpuNs(),
                since.allocatedBytes(), Double.NaN);
            isOver.set(true);
        });
        Crew.run(2 * pairs.size(), thread -> {
            final Pair pair = pairs.get(thread / 2);
            if (thread % 2 == 0) {
                final ByteBuffer message = ByteBuffer.allocateDirect(what.bytes());
                while (!isOver.get()) {
                    write(pair.sender, message.clear());
                }
                pair.sender.shutdownOutput();
            } else {
                final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
                for (int count = 0; count >= 0; count = pair.receiver.read(buffer.clear())) {
                    bytes.add(count);
                }
            }
        });
        meter.join();
        return result[0];
    }

    /** Waits for the time of a measurement, and on a busy machine until as much has arrived, but not for ever. */
    private void pauseUntilMore(LongAdder bytes, long least) {
        pause();
        for (int i = 0; i < EXTRA && bytes.sum() <= least; i++) {
            pause();
        }
    }

    private void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(measureNs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
