package io.teff.nio.selector.link;

import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import java.lang.foreign.MemorySegment;
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
    private record UnderWay(SendSlab buffer, @Nullable ByteLink link, boolean isOfProgram) {}

    private final UcxCore core;
    private final long number;
    /** The most bytes of a stream in a piece that this side sends or takes. */
    private final int limit;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<UnderWay> underWay = new ConcurrentLinkedQueue<>();
    private byte[] peerAddress = {};
    private long peerNumber;
    private volatile int pieceBytesMax = StreamPieceLayout.BYTES_COMMON;
    private volatile @Nullable UcxEndpoint endpoint;
    private volatile boolean isFailed;

    PeerPath(UcxCore core, long number, int limit) {
        this.core = core;
        this.number = number;
        this.limit = limit;
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
        core.helperDuty(() -> {
            connect();
            sendFirst(StreamPieceLayout.OPEN);
        });
    }

    private void connect() {
        if (endpoint == null && !isFailed) {
            endpoint = core.connect(peerAddress);
        }
    }

    /** Takes the limit of the peer; 0 for a peer that names none. */
    void setPieceBytesMax(long limitOfPeer) {
        if (limitOfPeer > 0) {
            pieceBytesMax = (int) Math.min(limitOfPeer, limit);
        }
    }

    /** {@return the most bytes of a stream in a piece} */
    int pieceBytesMax() {
        return pieceBytesMax;
    }

    /** Takes the first piece of the peer. A duty of the helper. */
    void first(int kind) {
        if (kind == StreamPieceLayout.OPEN) {
            connect();
            sendFirst(StreamPieceLayout.OPENED);
        }
        opened.countDown();
    }

    private void sendFirst(int kind) {
        final SendSlab buffer = core.sendPool().take(0);
        StreamPieceLayout.writeHead(buffer.memory(), peerNumber, 0, kind, limit);
        send(buffer, StreamPieceLayout.HEAD, null);
    }

    /** Waits until links can begin; false if the path has failed, or the time is over. */
    boolean awaitOpened(long timeoutNs) throws InterruptedException {
        return opened.await(timeoutNs, TimeUnit.NANOSECONDS) && !isFailed;
    }

    boolean isFailed() {
        return isFailed;
    }

    /** Sends a piece whose bytes lie behind the head. Callers of a link hold its lock for sending. */
    void send(SendSlab buffer, long bytes, @Nullable ByteLink link) {
        send(buffer, 0, buffer.memory(), 0, bytes, link);
    }

    /**
     * Sends a piece whose bytes lie in a buffer of the program. If UCX still reads the buffer behind this call, the
     * link counts the piece until UCX has finished the piece. Callers hold the lock of the link for sending.
     */
    void send(SendSlab head, MemorySegment source, long bytes, ByteLink link) {
        send(head, StreamPieceLayout.HEAD, source, 0, bytes, link);
    }

    private void send(SendSlab buffer, long headerBytes, MemorySegment source, long offset, long bytes,
            @Nullable ByteLink link) {
        final UcxEndpoint open = endpoint;
        final boolean isOfProgram = headerBytes > 0;
        boolean isDone = true;
        boolean isLost = open == null || isFailed;
        if (open != null && !isLost) {
            try {
                open.send(UcxCore.MESSAGE, buffer.memory(), 0, headerBytes, source, offset, bytes,
                    UcxMessageMode.EAGER, buffer.request());
                isDone = buffer.request().isDone();
                isLost = isDone && buffer.request().status() != UcxStatus.OK;
            } catch (IllegalStateException e) {
                isLost = true;                                  // closed meanwhile
            }
        }
        if (!isDone) {
            if (link != null) {
                link.pieceBegins(isOfProgram);
            }
            core.underWay().incrementAndGet();
            underWay.add(new UnderWay(buffer, link, isOfProgram));
            core.keeper().underWay();
            return;
        }
        core.sendPool().giveBack(buffer);
        if (isLost && link != null) {
            core.duty(() -> link.lose("Connection reset"));
        }
    }

    /** Takes finished pieces back; within the turn. */
    int reap() {
        int count = 0;
        for (UnderWay first = underWay.peek(); first != null && first.buffer().request().isDone();
                first = underWay.peek()) {
            underWay.remove();
            core.underWay().decrementAndGet();
            final boolean isLost = first.buffer().request().status() != UcxStatus.OK;
            core.sendPool().giveBack(first.buffer());
            if (first.link() != null) {
                first.link().pieceDone(isLost, first.isOfProgram());
            }
            count++;
        }
        return count;
    }

    @Nullable UcxStatus failure() {
        final UcxEndpoint open = endpoint;
        return open == null || isFailed ? null : open.failure();
    }

    /** Ends the path and its links; a duty of the helper. */
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
