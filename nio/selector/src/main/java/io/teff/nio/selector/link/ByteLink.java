package io.teff.nio.selector.link;

import io.teff.nio.selector.report.LinkReason;
import io.teff.rdma.ucx.message.UcxMessage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection by UCX, beside the TCP connection of the channel.
 *
 * <p>A link of a server begins confirmed. A link of a client begins unconfirmed: the bytes of the program go over TCP
 * until ACCEPTED ({@link FirstBytes}). If a byte or an end of the TCP connection comes before ACCEPTED, the peer of the
 * connection is another program. Then the link falls back: the channel carries on by TCP alone. A link of a server also
 * falls back if the client withdraws the offer, or the path fails, before a piece of the client has arrived.
 *
 * <p><b>Locks.</b> {@code sending} orders the pieces of this side, and is held during calls of UCX. {@code state}
 * guards arrived bytes; the handler of messages takes it, so a thread with {@code state} calls neither UCX nor takes
 * {@code sending}.
 *
 * <p><b>Credit.</b> A side sends at most {@link #WINDOW} bytes beyond the bytes that the peer's program has read.
 */
public final class ByteLink {
    /** Bytes under way and unread, in a direction. */
    static final int WINDOW = 256 << 10;
    /** Pieces that UCX has not finished. */
    private static final int PIECES_MAX = 16;
    /** Bytes read since the last piece after which a piece is sent for them alone. */
    private static final int CREDIT_STEP = WINDOW / 4;

    private final UcxCore core;
    private final PeerPath path;
    private final long number;
    private final FirstBytes first;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock state = new ReentrantLock();
    private final Condition change = state.newCondition();

    // ---- guarded by sending ----

    private long place;
    private volatile long sentBytes;
    private boolean isFinWanted;
    private boolean isFinSent;
    private volatile boolean isCloseWanted;
    private boolean isCloseSent;
    private boolean isAcceptedEarly;
    private boolean isClosedEarly;

    // ---- guarded by state ----

    private final ArrayDeque<Slab> slabs = new ArrayDeque<>();
    private volatile long arrivedBytes;
    private long nextPlace;
    private volatile boolean isFinArrived;

    // ---- written under a lock, read by any thread ----

    private volatile long peerNumber;
    private volatile boolean isConfirmed;
    private volatile boolean isFallen;
    private volatile long readBytes;
    private volatile long toldBytes;
    private volatile long peerReadBytes;
    private volatile int piecesUnderWay;
    private volatile boolean isPeerClosed;
    private volatile @Nullable String lost;
    private volatile @Nullable LinkListener listener;
    private volatile @Nullable SocketChannel tcp;
    private volatile long closeDeadlineNs;
    private volatile long wakeUps;

    ByteLink(UcxCore core, PeerPath path, long number, long peerNumber, boolean isConfirmed) {
        this.core = core;
        this.path = path;
        this.number = number;
        this.peerNumber = peerNumber;
        this.isConfirmed = isConfirmed;
        first = new FirstBytes(isConfirmed);
    }

    long number() {
        return number;
    }

    PeerPath path() {
        return path;
    }

    long peerNumber() {
        return peerNumber;
    }

    /** Sets the number of the answer, which a program that stands still sends late: even behind ACCEPTED and CLOSE. */
    void setPeerNumber(long answered) {
        sending.lock();
        try {
            peerNumber = answered;
            if (isAcceptedEarly) {
                core.duty(this::confirm);
            }
            if (isClosedEarly) {
                core.duty(this::answerClose);
            }
        } finally {
            sending.unlock();
        }
    }

    /**
     * Sets the channel and the connection. The connection is non-blocking, and belongs to the link from now on.
     *
     * @return false if the link has failed before, so that the channel carries on by TCP
     */
    public boolean attach(LinkListener channel, SocketChannel connection, boolean isOfServer) {
        sending.lock();
        try {
            if (isFallen || lost != null) {
                return false;
            }
            tcp = connection;
            listener = channel;
            if (isOfServer) {
                sendPiece(StreamPieceLayout.ACCEPTED);
            }
        } finally {
            sending.unlock();
        }
        core.watch().add(connection, this);
        changed();
        return true;
    }

    // ---- reading ----

    /** {@return whether a read returns at once, with bytes, the end or a failure} */
    public boolean isReadable() {
        if (first.isNext()) {
            return first.isReadable() || lost != null;
        }
        return arrivedBytes > readBytes || isFinArrived || lost != null;
    }

    /**
     * Reads without waiting.
     *
     * @return the number of bytes, 0 if there are none yet, or -1 behind the last byte
     * @throws IOException if the connection was reset
     */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long count = 0;
        boolean hasRoom = false;
        state.lock();
        try {
            for (int i = offset; i < offset + length; i++) {
                hasRoom |= targets[i].hasRemaining();
            }
            if (first.isNext() && hasRoom) {
                count = readFirst(targets, offset, length);
            }
            for (int i = offset; i < offset + length && !first.isNext(); i++) {
                count += readInto(targets[i]);
            }
            if (count == 0 && hasRoom) {
                if (isFinArrived && !first.isNext()) {
                    return -1;
                }
                final String why = lost;
                if (why != null) {
                    throw new SocketException(why);
                }
            }
            final long before = readBytes;
            readBytes = before + count;
        } finally {
            state.unlock();
        }
        if (readBytes - toldBytes >= CREDIT_STEP) {
            tellCredit();
        }
        return count;
    }

    /** Reads bytes of the client that travel over TCP. */
    private long readFirst(ByteBuffer[] targets, int offset, int length) throws IOException {
        final SocketChannel connection = tcp;
        if (connection == null || isFallen) {
            return 0;
        }
        final long count = first.read(connection, targets, offset, length);
        final long before = arrivedBytes;
        arrivedBytes = before + count;
        if (first.isTcpAtEnd()) {
            core.dutyWhenQuiet(this::firstEnded);
        } else {
            core.watch().lookAgain(this);
        }
        return count;
    }

    private int readInto(ByteBuffer target) {
        int count = 0;
        while (target.hasRemaining() && !slabs.isEmpty()) {
            final Slab slab = slabs.getFirst();
            final int part = Math.min(target.remaining(), slab.to - slab.from);
            MemorySegment.copy(slab.memory, slab.from, MemorySegment.ofBuffer(target), 0, part);
            target.position(target.position() + part);
            slab.from += part;
            count += part;
            if (slab.from == slab.to) {
                core.slabs().giveBack(slabs.removeFirst());
            }
        }
        return count;
    }

    private void tellCredit() {
        sending.lock();
        try {
            if (isConfirmed && lost == null && readBytes - toldBytes >= CREDIT_STEP) {
                sendPiece(StreamPieceLayout.CREDIT);
            }
        } finally {
            sending.unlock();
        }
    }

    // ---- writing ----

    /** {@return whether a write takes bytes, or fails} */
    public boolean isWritable() {
        if (lost != null || isPeerClosed) {
            return true;
        }
        return isConfirmed ? piecesUnderWay < PIECES_MAX && sentBytes - peerReadBytes < WINDOW
            && first.roomToSend(sentBytes) > 0 : first.hasRoom();
    }

    /**
     * Writes without waiting.
     *
     * @return the number of bytes
     * @throws IOException if the connection was reset, or the peer has closed it
     */
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        sending.lock();
        try {
            if (isFallen) {
                return 0;
            }
            final String why = lost;
            if (why != null) {
                throw new SocketException(why);
            }
            if (isPeerClosed) {
                throw new IOException("Broken pipe");
            }
            final SocketChannel connection = tcp;
            return isConfirmed || connection == null ? send(sources, offset, length)
                : first.write(connection, sources, offset, length);
        } finally {
            sending.unlock();
        }
    }

    private long send(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        int index = offset;
        final int end = offset + length;
        while (true) {
            while (index < end && !sources[index].hasRemaining()) {
                index++;
            }
            final long credit = Math.min(WINDOW - (sentBytes - peerReadBytes), first.roomToSend(sentBytes));
            if (index == end || credit <= 0 || piecesUnderWay >= PIECES_MAX || lost != null) {
                return count;
            }
            final int sizeMax = (int) Math.min(credit, StreamPieceLayout.BYTES_MAX);
            final SendSlab buffer = core.sendPool().take();
            int size = 0;
            while (index < end && size < sizeMax) {
                final ByteBuffer source = sources[index];
                final int part = Math.min(source.remaining(), sizeMax - size);
                MemorySegment.copy(MemorySegment.ofBuffer(source), 0, buffer.memory(),
                    (long) StreamPieceLayout.HEAD + size, part);
                source.position(source.position() + part);
                size += part;
                if (!source.hasRemaining()) {
                    index++;
                }
            }
            count += size;
            final long before = sentBytes;
            sentBytes = before + size;
            first.keep(buffer.memory(), StreamPieceLayout.HEAD, size);
            sendPiece(StreamPieceLayout.DATA, buffer, size);
        }
    }

    private void sendPiece(int kind) {
        sendPiece(kind, core.sendPool().take(), 0);
    }

    private void sendPiece(int kind, SendSlab buffer, int bytes) {
        assert sending.isHeldByCurrentThread();
        final long consumed = readBytes;
        StreamPieceLayout.writeHead(buffer.memory(), peerNumber, place++, kind, consumed);
        toldBytes = consumed;
        state.lock();
        try {
            final int before = piecesUnderWay;
            piecesUnderWay = before + 1;
        } finally {
            state.unlock();
        }
        path.send(buffer, StreamPieceLayout.HEAD + (long) bytes, this);
    }

    /** Takes note that UCX has finished a piece. */
    void pieceDone(boolean isFailed) {
        state.lock();
        try {
            final int before = piecesUnderWay;
            piecesUnderWay = before - 1;
            if (!isFailed && before != PIECES_MAX) {
                return;
            }
        } finally {
            state.unlock();
        }
        if (isFailed) {
            lose("Connection reset");
        } else {
            changed();
        }
    }

    /** Ends the bytes of this direction. Idempotent. */
    public void shutdownOutput() {
        sending.lock();
        try {
            isFinWanted = true;
            sendEnd();
        } finally {
            sending.unlock();
        }
    }

    private void sendEnd() {
        if (isConfirmed && lost == null && !isPeerClosed) {
            if (isFinWanted && !isFinSent && !isCloseWanted) {
                isFinSent = true;
                sendPiece(StreamPieceLayout.FIN);
            }
            if (isCloseWanted && !isCloseSent) {
                isCloseSent = true;
                sendPiece(isReadingLeft() ? StreamPieceLayout.RESET : StreamPieceLayout.CLOSE);
            }
        }
    }

    private boolean isReadingLeft() {
        state.lock();
        try {
            return !slabs.isEmpty() || first.isNext() && first.isReadable();
        } finally {
            state.unlock();
        }
    }

    // ---- waiting ----

    /**
     * Waits until the link is readable or writable, has fallen back or is closed.
     *
     * @param timeoutNs 0 for no limit
     * @throws SocketTimeoutException if the time is over
     */
    public void await(boolean isForReading, long timeoutNs) throws SocketTimeoutException, InterruptedException {
        if (core.spin(() -> isReady(isForReading))) {
            return;
        }
        final long wakeUpsBefore = wakeUps;
        long leftNs = timeoutNs;
        state.lockInterruptibly();
        try {
            while (!isReady(isForReading) && wakeUps == wakeUpsBefore) {
                if (timeoutNs == 0) {
                    change.await();
                } else if (leftNs <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                } else {
                    leftNs = change.awaitNanos(leftNs);
                }
            }
        } finally {
            state.unlock();
        }
    }

    private boolean isReady(boolean isForReading) {
        return isFallen || isCloseWanted || (isForReading ? isReadable() : isWritable());
    }

    /** {@return whether the TCP connection carries all bytes from here on} */
    public boolean isFallen() {
        return isFallen;
    }

    /** Lets all waiters look at the channel again. */
    public void wakeUp() {
        state.lock();
        try {
            final long before = wakeUps;
            wakeUps = before + 1;
        } finally {
            state.unlock();
        }
        changed();
    }

    /** Wakes all waiters, and tells the channel. */
    void changed() {
        state.lock();
        try {
            change.signalAll();
        } finally {
            state.unlock();
        }
        final LinkListener channel = listener;
        if (channel != null) {
            channel.changed();
        }
    }

    // ---- arriving pieces: in the handler of UCX ----

    void arrived(long word, long consumed, UcxMessage message) {
        state.lock();
        try {
            if (StreamPieceLayout.place(word) != nextPlace++) {
                core.duty(() -> lose("Connection reset"));
                return;
            }
            if (consumed > peerReadBytes) {
                peerReadBytes = consumed;
            }
            final int bytes = (int) message.length() - StreamPieceLayout.HEAD;
            final int kind = StreamPieceLayout.kind(word);
            if (first.isOpen()) {
                first.told(kind == StreamPieceLayout.FIRST && bytes == Long.BYTES
                    ? message.dataLong(StreamPieceLayout.HEAD) : 0);
                core.watch().lookAgain(this);
            }
            switch (kind) {
                case StreamPieceLayout.DATA -> {
                    if (!isCloseWanted) {
                        append(message, bytes);
                    }
                }
                case StreamPieceLayout.FIN -> isFinArrived = true;
                case StreamPieceLayout.CLOSE -> {
                    isFinArrived = true;
                    isPeerClosed = true;
                    core.duty(this::answerClose);
                }
                case StreamPieceLayout.RESET -> {
                    isPeerClosed = true;
                    lost = "Connection reset";
                    core.duty(this::answerClose);
                }
                case StreamPieceLayout.CLOSED -> core.duty(this::end);
                case StreamPieceLayout.ACCEPTED -> core.duty(this::confirm);
                default -> { }                                  // CREDIT, and what a newer peer may send
            }
        } finally {
            state.unlock();
        }
        changed();
    }

    private void append(UcxMessage message, int bytes) {
        Slab slab = slabs.peekLast();
        if (slab == null || slab.room() < bytes) {
            slab = core.slabs().take(bytes);
            slabs.add(slab);
        }
        message.copyData(StreamPieceLayout.HEAD, slab.memory, slab.to, bytes);
        slab.to += bytes;
        final long before = arrivedBytes;
        arrivedBytes = before + bytes;
    }

    // ---- duties of the worker's thread ----

    private void confirm() {
        sending.lock();
        try {
            if (isFallen || isConfirmed) {
                return;
            }
            if (peerNumber == 0) {
                isAcceptedEarly = true;
                return;
            }
            isConfirmed = true;
            sentBytes = first.count();
            final SendSlab buffer = core.sendPool().take();
            sendPiece(StreamPieceLayout.FIRST, buffer, StreamPieceLayout.writeFirst(buffer.memory(), sentBytes));
            sendEnd();
        } finally {
            sending.unlock();
        }
        changed();
    }

    private void answerClose() {
        sending.lock();
        try {
            if (peerNumber == 0) {
                isClosedEarly = true;
                return;
            }
            if (lost == null || isPeerClosed) {
                sendPiece(StreamPieceLayout.CLOSED);
            }
        } finally {
            sending.unlock();
        }
        if (isCloseWanted) {
            end();
        }
    }

    /** Ends the link and its TCP connection. Idempotent. */
    private void end() {
        isPeerClosed = true;
        core.links().remove(number);
        core.closing().remove(this);
        final SocketChannel connection = tcp;
        if (connection != null && isCloseWanted && !isFallen) {
            if (lost != null) {
                resetAtClose(connection);
            }
            core.watch().close(connection);
        }
        state.lock();
        try {
            while (isCloseWanted && !slabs.isEmpty()) {
                core.slabs().giveBack(slabs.removeFirst());
            }
        } finally {
            state.unlock();
        }
    }

    /** A peer that reads TCP alone by now must not take the end of a lost link for the end of the stream. */
    private static void resetAtClose(SocketChannel connection) {
        try {
            connection.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            assert !connection.isOpen() : e;
        }
    }

    /** The TCP connection has ended, and all arrived pieces were handled. Without FIRST, TCP has brought all bytes. */
    private void firstEnded() {
        state.lock();
        try {
            if (first.isOpen()) {
                first.told(0);
                isFinArrived = true;
                isPeerClosed = true;
            }
        } finally {
            state.unlock();
        }
        ended();
        changed();
    }

    /** The client has withdrawn the offer. */
    void withdrawn() {
        core.watch().fallBack(this);
    }

    /** Ends the link by a failure. */
    void lose(String why) {
        if (!isConfirmed || first.isOpen()) {
            core.watch().fallBack(this);
            return;
        }
        if (!isPeerClosed && lost == null) {
            lost = why;
        }
        if (isCloseWanted) {
            end();
        }
        changed();
    }

    // ---- the TCP connection, in the thread of the watch ----

    /** {@return whether TCP brings bytes of the stream} */
    boolean isTcpNext() {
        return first.isNext() && !first.isTcpAtEnd();
    }

    /** Takes note that TCP has bytes of the stream, or the end. */
    void tcpReadable() {
        first.tcpReadable();
        changed();
    }

    /** Takes note that the TCP connection has ended. */
    void tcpEnded() {
        core.dutyWhenQuiet(this::ended);
    }

    private void ended() {
        if (!isPeerClosed) {
            lose("Connection reset");
        } else if (isCloseWanted) {
            end();
        }
    }

    /** Takes note that TCP has brought something before ACCEPTED, unless ACCEPTED is among the arrived pieces. */
    void tcpSpeaks() {
        core.dutyWhenQuiet(() -> {
            if (isConfirmed) {
                core.watch().lookAgain(this);
            } else {
                core.watch().fallBack(this);
            }
        });
    }

    /** {@return whether the peer has accepted the link} */
    boolean isConfirmed() {
        return isConfirmed;
    }

    @Nullable SocketChannel tcp() {
        return tcp;
    }

    /** Lets TCP carry all bytes from here on. */
    void fall() throws IOException {
        final SocketChannel connection = tcp;
        sending.lock();
        try {
            if (isFallen || isConfirmed && !first.isOpen()) {
                return;
            }
            isFallen = true;
            core.links().remove(number);
            core.closing().remove(this);
            if (connection == null) {
                return;
            }
            core.reports().count(LinkReason.FELL_BACK, connection.getLocalAddress(), connection.getRemoteAddress());
            first.writeKept(connection);
            if (isCloseWanted) {
                core.watch().close(connection);
            } else if (isFinWanted) {
                connection.shutdownOutput();
            }
        } finally {
            sending.unlock();
            final LinkListener channel = listener;
            if (channel != null && !isCloseWanted) {
                channel.fallen();
            }
            changed();
        }
    }

    // ---- the end ----

    /**
     * Closes the link after the channel. The peer gets all written bytes.
     *
     * @param isAbrupt whether the peer gets a reset instead
     */
    public void close(boolean isAbrupt) {
        final SocketChannel connection = tcp;
        sending.lock();
        try {
            isCloseWanted = true;
            if (!isAbrupt) {
                sendEnd();
            }
        } finally {
            sending.unlock();
        }
        if (isFallen && connection != null) {
            core.watch().close(connection);
        } else if (isAbrupt || isConfirmed && (isPeerClosed || lost != null)) {
            end();
        } else {
            closeDeadlineNs = core.nowNs() + UcxCore.CLOSE_NS;
            core.closing().add(this);
            core.signal();
        }
        changed();
    }

    /** Ends a link whose peer has not answered in time; returns whether the link is over. */
    boolean pollClosing(long nowNs) {
        if (nowNs - closeDeadlineNs < 0 || !isConfirmed) {
            return false;
        }
        end();
        return true;
    }

    @Override
    public String toString() {
        return "link " + Long.toHexString(number) + ", sent " + sentBytes + ", peer has read " + peerReadBytes
            + ", arrived " + arrivedBytes + ", read " + readBytes + (isConfirmed ? ", confirmed" : "")
            + (isFallen ? ", by TCP" : "") + (lost == null ? "" : ", " + lost);
    }
}
