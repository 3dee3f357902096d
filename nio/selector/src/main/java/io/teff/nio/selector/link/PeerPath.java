package io.teff.nio.selector.link;

import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of UCX between two processes, shared by all links between them.
 *
 * <p>The dialer makes its direction and sends OPEN. The listener makes its direction behind OPEN, and sends OPENED.
 * UCX 1.13 may end a process whose peer ends while a direction is made, so links begin behind OPENED.
 */
final class PeerPath {
    private record UnderWay(SendSlab buffer, @Nullable ByteLink link) {}

    private final UcxCore core;
    private final long number;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<UnderWay> underWay = new ConcurrentLinkedQueue<>();
    private byte[] peerAddress = {};
    private long peerNumber;
    private volatile @Nullable UcxEndpoint endpoint;
    private volatile boolean isFailed;

    PeerPath(UcxCore core, long number) {
        this.core = core;
        this.number = number;
    }

    long number() {
        return number;
    }

    void setPeer(long numberOfPeer, byte[] address) {
        peerNumber = numberOfPeer;
        peerAddress = address;
    }

    /** Makes the direction of the dialer. Any thread. */
    void dial() {
        core.duty(() -> {
            connect();
            sendFirst(StreamPieceLayout.OPEN);
        });
    }

    private void connect() {
        if (endpoint == null && !isFailed) {
            endpoint = core.connect(peerAddress);
        }
    }

    /** Takes the first piece of the peer. A duty. */
    void first(int kind) {
        if (kind == StreamPieceLayout.OPEN) {
            connect();
            sendFirst(StreamPieceLayout.OPENED);
        }
        opened.countDown();
    }

    private void sendFirst(int kind) {
        final SendSlab buffer = core.sendPool().take();
        StreamPieceLayout.writeHead(buffer.memory(), peerNumber, 0, kind, 0);
        send(buffer, StreamPieceLayout.HEAD, null);
    }

    /** Waits until links can begin; false if the path has failed, or the time is over. */
    boolean awaitOpened(long timeoutNs) throws InterruptedException {
        return opened.await(timeoutNs, TimeUnit.NANOSECONDS) && !isFailed;
    }

    boolean isFailed() {
        return isFailed;
    }

    /** Sends a piece. Callers of a link hold its lock for sending. */
    void send(SendSlab buffer, long bytes, @Nullable ByteLink link) {
        final UcxEndpoint open = endpoint;
        boolean isDone = true;
        boolean isLost = open == null || isFailed;
        if (open != null && !isLost) {
            try {
                open.send(UcxCore.MESSAGE, buffer.memory(), 0, 0, buffer.memory(), 0, bytes, UcxMessageMode.EAGER,
                    buffer.request());
                isDone = buffer.request().isDone();
                isLost = isDone && buffer.request().status() != UcxStatus.OK;
            } catch (IllegalStateException e) {
                isLost = true;                                  // closed meanwhile
            }
        }
        if (!isDone) {
            underWay.add(new UnderWay(buffer, link));
            core.signal();
            return;
        }
        core.sendPool().giveBack(buffer);
        if (link != null) {
            if (isLost) {
                core.duty(() -> link.pieceDone(true));
            } else {
                link.pieceDone(false);
            }
        }
    }

    /** Takes finished pieces back; in the thread of the worker. */
    int reap() {
        int count = 0;
        for (UnderWay first = underWay.peek(); first != null && first.buffer().request().isDone();
                first = underWay.peek()) {
            underWay.remove();
            final boolean isLost = first.buffer().request().status() != UcxStatus.OK;
            core.sendPool().giveBack(first.buffer());
            if (first.link() != null) {
                first.link().pieceDone(isLost);
            }
            count++;
        }
        return count;
    }

    @Nullable UcxStatus failure() {
        final UcxEndpoint open = endpoint;
        return open == null || isFailed ? null : open.failure();
    }

    /** Ends the path and its links; a duty. */
    void fail() {
        if (isFailed) {
            return;
        }
        isFailed = true;
        opened.countDown();
        core.forget(this);
        final UcxEndpoint open = endpoint;
        if (open != null) {
            open.close(UcxCloseMode.FORCE);
        }
        reap();
    }
}
