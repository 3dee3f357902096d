package io.teff.test.bench.net;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Aeron with a driver in this JVM that has one thread: a stream in each direction for each sender, one thread that
 * receives. All of them yield while idle.
 */
final class AeronNodes implements Nodes {
    private static final int FRAGMENTS = 256;

    private final NetCase what;
    private final String channel;
    private final MediaDriver driver;
    private final Aeron aeron;
    private final List<Called> called = new CopyOnWriteArrayList<>();
    private final LongAdder received = new LongAdder();
    private final Thread receiver;
    private volatile boolean isClosed;
    private int streams;

    AeronNodes(NetCase what, String channel) {
        this.what = what;
        this.channel = channel.endsWith(":") ? channel + freePort() : channel;
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context().threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(new YieldingIdleStrategy()).dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        receiver = Thread.ofPlatform().daemon().start(this::receive);
    }

    private static int freePort() {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The other end of a sender. */
    private final class Called {
        private final Subscription requests;
        private final ExclusivePublication answers;
        private final FragmentHandler handler = new FragmentAssembler((buffer, offset, length, header) ->
            take(buffer, offset, length));

        Called(Subscription requests, ExclusivePublication answers) {
            this.requests = requests;
            this.answers = answers;
        }

        private void take(DirectBuffer buffer, int offset, int length) {
            if (what.mode() == NetMode.ROUND_TRIP) {
                while (answers.offer(buffer, offset, length) < 0 && !isClosed) {
                    Thread.yield();
                }
            } else {
                received.increment();
            }
        }

        int poll() {
            return requests.poll(handler, FRAGMENTS);
        }
    }

    private void receive() {
        YieldingIdleStrategy idle = new YieldingIdleStrategy();
        while (!isClosed) {
            int work = 0;
            for (Called its : called) {
                work += its.poll();
            }
            idle.idle(work);
        }
    }

    @Override
    public synchronized Sender sender(int from, int to) {
        int requestStream = ++streams;
        int answerStream = ++streams;
        Subscription answers = aeron.addSubscription(channel, answerStream);
        called.add(new Called(aeron.addSubscription(channel, requestStream),
            aeron.addExclusivePublication(channel, answerStream)));
        ExclusivePublication requests = aeron.addExclusivePublication(channel, requestStream);
        while (!requests.isConnected() || !answers.isConnected()) {
            Thread.yield();
        }
        UnsafeBuffer message = new UnsafeBuffer(new byte[what.bytes()]);
        FragmentHandler ignored = new FragmentAssembler((buffer, offset, length, header) -> { });
        YieldingIdleStrategy idle = new YieldingIdleStrategy();
        return new Sender() {
            @Override
            public void send() {
                while (requests.offer(message) < 0 && !isClosed) {
                    Thread.yield();
                }
            }

            @Override
            public void request() {
                send();
                int left = what.bytes();
                while (left > 0) {
                    int fragments = answers.poll(ignored, 1);
                    idle.idle(fragments);
                    left -= fragments * requests.maxPayloadLength();
                }
            }
        };
    }

    private void joinReceiver() {
        try {
            receiver.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long received() {
        return received.sum();
    }

    @Override
    public void close() {
        isClosed = true;
        joinReceiver();
        aeron.close();
        driver.close();
    }
}
