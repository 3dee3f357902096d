package io.teff.nio.selector.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The side connection to a program that listens, and the path to that program. Made once per program. */
final class PeerDialer {
    /** Longest time until an offer to a program of this machine is answered. */
    private static final long ANSWER_NS = 1_000_000_000;

    /** Time without further offers to a program of this machine that has not answered. */
    private static final long SKIP_NS = 5_000_000_000L;

    /** The program has not answered an offer in time, and stands still or is far away. Its links stay. */
    static final class SlowException extends IOException {
        private static final long serialVersionUID = 1;

        SlowException() {
            super("no answer in time");
        }
    }

    /** A path with the worker that it belongs to. */
    private record Way(UcxCore core, PeerPath path) {}

    private final SideConnection side;
    private final long answerNs;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Long, CompletableFuture<Long>> waiting = new ConcurrentHashMap<>();
    /** The links of offers whose answer was not awaited to its end. */
    private final Map<Long, ByteLink> late = new ConcurrentHashMap<>();
    /** Until when the program gets no offers, because an answer is late; 0 after a late answer. */
    private volatile long slowUntilNs;
    private volatile @Nullable Way way;
    private volatile boolean isEnded;

    private PeerDialer(SideConnection side, long answerNs) {
        this.side = side;
        this.answerNs = answerNs;
    }

    /** Connects to a program of this machine. Waits until links can begin, since both programs may have to load UCX. */
    static PeerDialer open(UcxCore core, SelectorProvider provider, Path socket, long waitNs)
            throws IOException, InterruptedException {
        final SocketChannel channel = provider.openSocketChannel(StandardProtocolFamily.UNIX);
        boolean isDone = false;
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            final PeerDialer dialer = start(new SideConnection(channel), ANSWER_NS);
            dialer.greet(core, waitNs);
            isDone = true;
            return dialer;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** Begins to read a side connection. */
    static PeerDialer start(SideConnection side, long answerNs) {
        final PeerDialer dialer = new PeerDialer(side, answerNs);
        Thread.ofVirtual().name("teff-nio-side").start(dialer::run);
        return dialer;
    }

    /** Makes the path to the program, and waits until links can begin. */
    void greet(UcxCore core, long timeoutNs) throws IOException, InterruptedException {
        final PeerPath fresh = core.path(side.isRemote());
        way = new Way(core, fresh);
        boolean isOpen = false;
        try {
            side.send(PeerListener.hello(core, fresh));
            isOpen = fresh.awaitOpened(timeoutNs);
        } finally {
            if (!isOpen) {
                isEnded = true;
                side.close();
                core.helperDuty(fresh::fail);
            }
        }
        if (!isOpen) {
            throw new IOException("no path to the program within "
                + Math.max(0, TimeUnit.NANOSECONDS.toMillis(timeoutNs)) + " ms");
        }
    }

    boolean isEnded() {
        final Way open = way;
        return isEnded || open != null && open.path().isFailed();
    }

    /** {@return whether the program gets no offers at this time} */
    boolean isSlow() {
        final long until = slowUntilNs;
        return until != 0 && System.nanoTime() - until < 0;
    }

    boolean isGreeted() {
        return way != null;
    }

    SideConnection side() {
        return side;
    }

    /** Asks for the side port of the program that listens at an address. */
    long find(InetAddress address, int port, InetAddress own, long timeoutNs)
            throws IOException, InterruptedException {
        final long request = requests.incrementAndGet();
        final ByteBuffer frame = SideConnection.frame(SideConnection.FIND).putLong(request).putInt(port);
        SideConnection.putAddress(frame, address.getAddress());
        return ask(request, SideConnection.putAddress(frame, own.getAddress()), timeoutNs);
    }

    private long ask(long request, ByteBuffer frame, long timeoutNs) throws IOException, InterruptedException {
        final CompletableFuture<Long> answer = new CompletableFuture<>();
        waiting.put(request, answer);
        try {
            side.send(frame);
            if (isEnded()) {
                throw new IOException("the side connection has ended");
            }
            return answer.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            final SlowException slow = new SlowException();
            if (answer.completeExceptionally(slow)) {
                throw slow;
            }
            return answer.join();                               // answered at the last moment
        } finally {
            if (answer.isDone()) {
                waiting.remove(request);
            } else {
                answer.cancel(false);                           // interrupted
            }
        }
    }

    /**
     * Makes a link of a client; null if the program declines.
     *
     * <p>A program that stands still may take the offer later, so a link without an answer stays: its peer has the
     * number 0 until the answer comes, and its first bytes go over TCP. The late answer is followed by RESOLVE.
     *
     * @param own the address of the client, for a program on another machine
     */
    @Nullable ByteLink offer(InetAddress address, int port, int clientPort, @Nullable InetAddress own)
            throws IOException, InterruptedException {
        final Way open = way;
        if (open == null) {
            throw new IOException("no path");
        }
        final ByteLink link = open.core().link(open.path(), 0, false);
        final long request = requests.incrementAndGet();
        final ByteBuffer frame = SideConnection.frame(SideConnection.OFFER).putLong(request).putInt(port)
            .putInt(clientPort).putLong(link.number());
        SideConnection.putAddress(frame, address.getAddress());
        if (own != null) {
            SideConnection.putAddress(frame, own.getAddress());
        }
        boolean isKept = false;
        late.put(request, link);
        try {
            final long number = ask(request, frame, answerNs);
            late.remove(request);
            link.setPeerNumber(number);
            isKept = number != 0;
        } catch (SlowException e) {
            isKept = true;
            slowUntilNs = System.nanoTime() + SKIP_NS;
            if (!late.containsKey(request)) {
                slowUntilNs = 0;                                // answered meanwhile
            }
        } finally {
            if (!isKept) {
                open.core().links().remove(link.number());
            }
        }
        return isKept ? link : null;
    }

    /** Takes an offer back, if the link is of this program. */
    void withdraw(ByteLink link) {
        final Way open = way;
        if (open != null && link.path() == open.path()) {
            open.core().links().remove(link.number());
            tell(SideConnection.frame(SideConnection.WITHDRAW).putLong(link.peerNumber()));
        }
    }

    /** Asks for REVOKE unless the program has accepted the link, if the link is of this program. */
    void resolve(ByteLink link) {
        final Way open = way;
        if (open != null && link.path() == open.path()) {
            tell(SideConnection.frame(SideConnection.RESOLVE).putLong(link.peerNumber()).putLong(link.number()));
        }
    }

    private void tell(ByteBuffer frame) {
        try {
            side.send(frame);
        } catch (IOException e) {
            isEnded = true;
        }
    }

    private void run() {
        try {
            boolean isGreeted = false;
            while (true) {
                final ByteBuffer frame = side.receive();
                final int kind = frame.getInt();
                final Way open = way;
                if (kind == SideConnection.HELLO && !isGreeted && open != null) {
                    isGreeted = true;
                    PeerListener.readHello(open.core(), open.path(), frame);
                    open.path().dial();
                } else if (kind == SideConnection.ANSWER || kind == SideConnection.FOUND) {
                    answered(frame.getLong(), frame.getLong());
                } else if (kind == SideConnection.REVOKE && open != null) {
                    final ByteLink link = open.core().links().get(frame.getLong());
                    if (link != null && !link.isConfirmed()) {
                        open.core().dutyWhenQuiet(() -> link.lose("Connection reset"));
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            isEnded = true;
            side.close();
            waiting.values().forEach(answer -> answer.completeExceptionally(e));
            final Way open = way;
            if (open != null) {
                open.core().dutyWhenQuiet(open.path()::fail);
            }
        }
    }

    private void answered(long request, long value) {
        final CompletableFuture<Long> answer = waiting.remove(request);
        final Way open = way;
        if (answer != null && answer.complete(value)) {
            return;
        }
        final ByteLink link = late.remove(request);
        if (link == null || open == null) {
            return;                                             // a question that is not awaited any more
        }
        slowUntilNs = 0;
        if (value == 0) {
            open.core().dutyWhenQuiet(() -> link.lose("Connection reset"));
        } else if (open.core().links().contains(link.number())) {
            link.setPeerNumber(value);
            resolve(link);
        } else {
            tell(SideConnection.frame(SideConnection.WITHDRAW).putLong(value));
        }
    }

    void close() {
        isEnded = true;
        side.close();
    }
}
