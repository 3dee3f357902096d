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
    /** Longest time until the first link to a program can begin. */
    private static final long OPEN_NS = 1_000_000_000;
    /** Longest time until an offer is answered. */
    private static final long ANSWER_NS = 100_000_000;

    private final UcxCore core;
    private final SideConnection side;
    private final PeerPath path;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Long, CompletableFuture<Long>> waiting = new ConcurrentHashMap<>();
    private volatile boolean isEnded;

    private PeerDialer(UcxCore core, SideConnection side, PeerPath path) {
        this.core = core;
        this.side = side;
        this.path = path;
    }

    /** Connects to a program. Waits for the first answer of the program. */
    static PeerDialer open(UcxCore core, SelectorProvider provider, Path socket)
            throws IOException, InterruptedException {
        final SocketChannel channel = provider.openSocketChannel(StandardProtocolFamily.UNIX);
        final SideConnection side = new SideConnection(channel);
        boolean isDone = false;
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            final PeerPath path = core.path();
            final PeerDialer dialer = new PeerDialer(core, side, path);
            side.send(SideConnection.frame(SideConnection.HELLO).putLong(path.number()).put(core.address()));
            Thread.ofVirtual().name("teff-nio-side").start(dialer::run);
            if (!path.awaitOpened(OPEN_NS)) {
                core.helperDuty(path::fail);
                throw new IOException("no answer of " + socket);
            }
            isDone = true;
            return dialer;
        } finally {
            if (!isDone) {
                side.close();
            }
        }
    }

    boolean isEnded() {
        return isEnded || path.isFailed();
    }

    /** Makes a link of a client; null if the program declines, or does not answer in time. */
    @Nullable ByteLink offer(InetAddress address, int port, int clientPort) throws IOException, InterruptedException {
        final ByteLink link = core.link(path, 0, false);
        final long request = requests.incrementAndGet();
        final CompletableFuture<Long> answer = new CompletableFuture<>();
        waiting.put(request, answer);
        long number = 0;
        try {
            side.send(SideConnection.frame(SideConnection.OFFER).putLong(request).putInt(port).putInt(clientPort)
                .putLong(link.number()).put(address.getAddress()));
            if (isEnded) {
                return null;
            }
            number = answer.get(ANSWER_NS, TimeUnit.NANOSECONDS);
            link.setPeerNumber(number);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            isEnded = true;                                     // stands still: the next connect begins anew
            side.close();
        } finally {
            waiting.remove(request);
            if (number == 0) {
                core.links().remove(link.number());
            }
        }
        return number == 0 ? null : link;
    }

    /** Takes an offer back, if the link is of this program. */
    void withdraw(ByteLink link) {
        if (link.path() != path) {
            return;
        }
        core.links().remove(link.number());
        try {
            side.send(SideConnection.frame(SideConnection.WITHDRAW).putLong(link.peerNumber()));
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
                if (kind == SideConnection.HELLO && !isGreeted) {
                    isGreeted = true;
                    path.setPeer(frame.getLong(), SideConnection.rest(frame));
                    path.dial();
                } else if (kind == SideConnection.ANSWER) {
                    final CompletableFuture<Long> answer = waiting.remove(frame.getLong());
                    if (answer != null) {
                        answer.complete(frame.getLong());
                    }
                } else if (kind == SideConnection.REVOKE) {
                    final ByteLink link = core.links().get(frame.getLong());
                    if (link != null && !link.isConfirmed()) {
                        core.dutyWhenQuiet(() -> link.lose("Connection reset"));
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            isEnded = true;
            side.close();
            waiting.values().forEach(answer -> answer.completeExceptionally(e));
            core.dutyWhenQuiet(path::fail);
        }
    }

    void close() {
        side.close();
    }
}
