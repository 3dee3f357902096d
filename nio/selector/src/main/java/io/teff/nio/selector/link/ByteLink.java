package io.teff.nio.selector.link;

import io.teff.nio.selector.report.LinkReason;
import io.teff.rdma.ucx.message.UcxMessage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
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
 *
 * <p><b>Copies.</b> A write of a blocking channel lets UCX read long parts of a direct buffer in place, and returns
 * when UCX reads the buffer no longer. All other writes copy the bytes first: a non-blocking write may not wait until
 * UCX has room, and the program may change its buffer after the write.
 */
public final class ByteLink {
    /** Bytes under way and unread, in a direction. */
    static final int WINDOW = 256 << 10;
    /** Pieces that UCX has not finished. */
    private static final int PIECES_MAX = 16;
    /** Bytes read since the last piece after which a piece is sent for them alone. */
    private static final int CREDIT_STEP = WINDOW / 4;
    /** Parts of a direct buffer from this length on are sent in place. */
    private static final int IN_PLACE_MIN = 2 << 10;
    /** Looks at UCX before a waiting write lets other threads run, and before the write sleeps between looks. */
    private static final int LOOKS_SPINNING = 1_000;
    private static final int LOOKS_YIELDING = 2_000;
    private static final long LOOK_NS = 50_000;

    private final UcxCore core;
    private final PeerPath path;
    private final long number;
    private final FirstBytes first;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock state = new ReentrantLock();
    private final Condition change = state.newCondition();

    // ---- guarded by sending ----

    private long place;
    /** Written without a fence: a thread that sees an old value sees the link writable for a moment longer. */
    private final AtomicLong sentBytes = new AtomicLong();
    private boolean isFinWanted;
    private boolean isFinSent;
    private volatile boolean isCloseWanted;
    private boolean isCloseSent;
    private boolean isAcceptedEarly;
    private boolean isClosedEarly;

    // ---- guarded by state ----

    private final ArrivedBytes arrived;
    private long nextPlace;
    /** Made at the first piece that arrives out of its order. */
    private @Nullable EarlyPieces early;
    private volatile boolean isFinArrived;

    // ---- written under a lock, read by any thread ----

    private volatile long peerNumber;
    private volatile boolean isConfirmed;
    private volatile boolean isFallen;
    private final AtomicLong toldBytes = new AtomicLong();
    private volatile long peerReadBytes;
    private final AtomicInteger piecesUnderWay = new AtomicInteger();
    /** Pieces that UCX reads from buffers of the program. */
    private final AtomicInteger inPlaceUnderWay = new AtomicInteger();
    private volatile boolean isPeerClosed;
    private volatile @Nullable String lost;
    private volatile @Nullable LinkListener listener;
    private volatile @Nullable SocketChannel tcp;
    private volatile long closeDeadlineNs;
    private volatile long wakeUps;
    /** Threads that sleep in {@link #change}; guarded by state. */
    private volatile int sleeperCount;
    /** Whether a waiter of this link sleeps in the descriptors of the worker. */
    private volatile boolean isKept;
    /** Reads in a row that found nothing; of the reading thread. */
    private int emptyReads;
    private final WaitMemory readWaits = new WaitMemory();
    private final WaitMemory writeWaits = new WaitMemory();

    ByteLink(UcxCore core, PeerPath path, long number, long peerNumber, boolean isConfirmed) {
        this.core = core;
        this.path = path;
        this.number = number;
        arrived = new ArrivedBytes(core.slabs());
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
        return arrived.hasBytes() || isFinArrived || lost != null;
    }

    /**
     * Reads without waiting.
     *
     * @return the number of bytes, 0 if there are none yet, or -1 behind the last byte
     * @throws IOException if the connection was reset
     */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        if (!isReadable() && arrived.beginTaking(targets, offset, length)) {
            final long count;
            try {
                core.keeper().help();
            } finally {
                count = taken();
            }
            if (count > 0) {
                emptyReads = 0;
                return count;
            }
            if (++emptyReads > WorkerKeeper.SPINS) {
                Thread.yield();                                 // the program spins: the peer may need the processor
            }
        } else {
            emptyReads = 0;
        }
        long count = 0;
        final boolean hasRoom = BufferList.hasRoom(targets, offset, length);
        state.lock();
        try {
            if (first.isNext() && hasRoom) {
                count = readFirst(targets, offset, length);
            }
            if (!first.isNext()) {
                count += arrived.read(targets, offset, length);
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
        } finally {
            state.unlock();
        }
        creditRead();
        return count;
    }

    /** Reads bytes of the client that travel over TCP. */
    private long readFirst(ByteBuffer[] targets, int offset, int length) throws IOException {
        final SocketChannel connection = tcp;
        if (connection == null || isFallen) {
            return 0;
        }
        final long count = first.read(connection, targets, offset, length);
        arrived.countRead(count);
        if (first.isTcpAtEnd()) {
            core.dutyWhenQuiet(this::firstEnded);
        } else {
            core.watch().lookAgain(this);
        }
        return count;
    }

    /**
     * Waits until a read returns at once, or the link has fallen back or is closed. Bytes of a message
     * that this thread handles meanwhile go to the buffers without a copy in between.
     *
     * @param timeoutNs 0 for no limit
     * @param wakeUpsBefore {@link #wakeUps} before the caller looked whether to wait
     * @return the number of bytes; 0 if the caller has to look
     * @throws SocketTimeoutException if the time is over
     */
    public long awaitRead(ByteBuffer[] targets, int offset, int length, long timeoutNs, long wakeUpsBefore)
            throws SocketTimeoutException, InterruptedException {
        if (!arrived.beginTaking(targets, offset, length)) {
            if (first.isNext()) {
                await(true, timeoutNs, wakeUpsBefore);          // bytes by UCX wait behind bytes over TCP
            }
            return 0;
        }
        @Nullable SocketTimeoutException late = null;
        final long count;
        try {
            await(true, timeoutNs, wakeUpsBefore);
        } catch (SocketTimeoutException e) {
            late = e;
        } finally {
            count = taken();
        }
        if (late != null && count == 0) {
            throw late;
        }
        return count;
    }

    /** Ends the taking of bytes, and returns their number. */
    private long taken() {
        final long count = arrived.endTaking();
        if (count > 0) {
            creditRead();
        }
        return count;
    }

    private void creditRead() {
        if (arrived.readBytes() - toldBytes.get() >= CREDIT_STEP) {
            tellCredit();
        }
    }

    private void tellCredit() {
        sending.lock();
        try {
            if (isConfirmed && lost == null && arrived.readBytes() - toldBytes.get() >= CREDIT_STEP) {
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
        return isConfirmed ? piecesUnderWay.get() < PIECES_MAX && sentBytes.get() - peerReadBytes < WINDOW
            && first.roomToSend(sentBytes.get()) > 0 : first.hasRoom();
    }

    /**
     * Writes without waiting for the peer.
     *
     * @param mayWait whether the write may wait until UCX has room, and so need not copy
     * @return the number of bytes
     * @throws IOException if the connection was reset, or the peer has closed it
     */
    public long write(ByteBuffer[] sources, int offset, int length, boolean mayWait) throws IOException {
        if (!isWritable()) {
            core.keeper().help();
        }
        try {
            return writeSome(sources, offset, length, mayWait);
        } finally {
            if (inPlaceUnderWay.get() > 0) {
                finishInPlace();
            } else if (piecesUnderWay.get() > 0) {
                core.keeper().help();
            }
        }
    }

    /** Waits until UCX reads no buffer of the program. A failed path ends the wait, too. */
    private void finishInPlace() {
        for (int looks = 0; inPlaceUnderWay.get() > 0 && !core.isClosed(); looks++) {
            core.keeper().help();
            if (looks < LOOKS_SPINNING) {
                Thread.onSpinWait();
            } else if (looks < LOOKS_YIELDING) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, LOOK_NS);
            }
        }
    }

    private long writeSome(ByteBuffer[] sources, int offset, int length, boolean mayWait) throws IOException {
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
            return isConfirmed || connection == null ? send(sources, offset, length, mayWait)
                : first.write(connection, sources, offset, length);
        } finally {
            sending.unlock();
        }
    }

    private long send(ByteBuffer[] sources, int offset, int length, boolean mayWait) {
        long count = 0;
        int index = offset;
        final int end = offset + length;
        while (true) {
            while (index < end && !sources[index].hasRemaining()) {
                index++;
            }
            final long credit = Math.min(WINDOW - (sentBytes.get() - peerReadBytes),
                first.roomToSend(sentBytes.get()));
            if (index == end || credit <= 0 || piecesUnderWay.get() >= PIECES_MAX || lost != null) {
                return count;
            }
            final int sizeMax = (int) Math.min(credit, path.pieceBytesMax());
            final ByteBuffer next = sources[index];
            final boolean isInPlace = mayWait && next.isDirect()
                && Math.min(next.remaining(), sizeMax) >= IN_PLACE_MIN;
            count += isInPlace ? sendInPlace(next, sizeMax) : sendCopied(sources, index, end, sizeMax);
        }
    }

    private int sendInPlace(ByteBuffer source, int sizeMax) {
        final int size = Math.min(source.remaining(), sizeMax);
        final MemorySegment bytes = MemorySegment.ofBuffer(source);
        final SendSlab head = core.sendPool().take(0);
        first.keep(bytes, 0, size);
        writeHead(StreamPieceLayout.DATA, head, size);
        path.send(head, bytes, size, this);
        source.position(source.position() + size);
        return size;
    }

    /** Fills a piece from several buffers, and sends the piece. */
    private int sendCopied(ByteBuffer[] sources, int begin, int end, int sizeMax) {
        final int size = BufferList.remaining(sources, begin, end, sizeMax);
        final SendSlab buffer = core.sendPool().take(size);
        BufferList.copy(sources, begin, end, buffer.view(), StreamPieceLayout.HEAD, size);
        first.keep(buffer.memory(), StreamPieceLayout.HEAD, size);
        sendPiece(StreamPieceLayout.DATA, buffer, size);
        return size;
    }

    private void sendPiece(int kind) {
        sendPiece(kind, core.sendPool().take(0), 0);
    }

    private void sendPiece(int kind, SendSlab buffer, int bytes) {
        writeHead(kind, buffer, bytes);
        path.send(buffer, StreamPieceLayout.HEAD + (long) bytes, this);
    }

    /** Writes the head of a piece, and counts its bytes of the stream. */
    private void writeHead(int kind, SendSlab buffer, int bytes) {
        assert sending.isHeldByCurrentThread();
        final long consumed = arrived.readBytes();
        StreamPieceLayout.writeHead(buffer.memory(), peerNumber, place++, kind, consumed);
        toldBytes.lazySet(consumed);
        if (kind == StreamPieceLayout.DATA) {
            sentBytes.lazySet(sentBytes.get() + bytes);
        }
    }

    /** Takes note that UCX has not finished a piece yet. */
    void pieceBegins(boolean isInPlace) {
        piecesUnderWay.incrementAndGet();
        if (isInPlace) {
            inPlaceUnderWay.incrementAndGet();
        }
    }

    /** Takes note that UCX has finished a piece. */
    void pieceDone(boolean isFailed, boolean isInPlace) {
        if (isInPlace) {
            inPlaceUnderWay.decrementAndGet();
        }
        final int before = piecesUnderWay.getAndDecrement();
        if (isFailed) {
            lose("Connection reset");
        } else if (before == PIECES_MAX) {
            changed();
        }
    }

    /** Ends the bytes of this direction, by TCP if the link has fallen back. Idempotent. */
    public void shutdownOutput() throws IOException {
        sending.lock();
        try {
            isFinWanted = true;
            final SocketChannel connection = tcp;
            if (isFallen && connection != null) {
                connection.shutdownOutput();
            } else {
                sendEnd();
            }
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
            return !arrived.isEmpty() || first.isNext() && first.isReadable();
        } finally {
            state.unlock();
        }
    }

    // ---- waiting ----

    /**
     * Waits until the link is readable or writable, has fallen back or is closed.
     *
     * @param timeoutNs 0 for no limit
     * @param wakeUpsBefore {@link #wakeUps} before the caller looked whether to wait
     * @throws SocketTimeoutException if the time is over
     */
    public void await(boolean isForReading, long timeoutNs, long wakeUpsBefore)
            throws SocketTimeoutException, InterruptedException {
        final WorkerKeeper keeper = core.keeper();
        final WaitMemory memory = isForReading ? readWaits : writeWaits;
        final long beginNs = core.nowNs();
        if (!keeper.spin(memory, () -> isReady(isForReading) || wakeUps != wakeUpsBefore)) {
            if (keeper.begin()) {
                isKept = true;
                try {
                    sleepAsKeeper(isForReading, timeoutNs, beginNs, wakeUpsBefore);
                } finally {
                    isKept = false;
                    keeper.end();
                }
            } else {
                sleepBesideKeeper(isForReading, timeoutNs, beginNs, wakeUpsBefore);
            }
        }
        keeper.waited(memory, core.nowNs() - beginNs);
    }

    private void sleepAsKeeper(boolean isForReading, long timeoutNs, long beginNs, long wakeUpsBefore)
            throws SocketTimeoutException, InterruptedException {
        while (!isReady(isForReading) && wakeUps == wakeUpsBefore && !core.isClosed()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            core.keeper().sleep(WaitMemory.leftNs(timeoutNs, core.nowNs() - beginNs));
        }
    }

    private void sleepBesideKeeper(boolean isForReading, long timeoutNs, long beginNs, long wakeUpsBefore)
            throws SocketTimeoutException, InterruptedException {
        state.lockInterruptibly();
        try {
            final int before = sleeperCount;
            sleeperCount = before + 1;
            core.keeper().beginBeside();
            while (!isReady(isForReading) && wakeUps == wakeUpsBefore) {
                if (change.awaitNanos(WaitMemory.leftNs(timeoutNs, core.nowNs() - beginNs)) <= 0) {
                    core.keeper().require();
                }
            }
        } finally {
            core.keeper().endBeside();
            final int before = sleeperCount;
            sleeperCount = before - 1;
            state.unlock();
        }
    }

    private boolean isReady(boolean isForReading) {
        return isFallen || isCloseWanted || (isForReading ? arrived.hasTaken() || isReadable() : isWritable());
    }

    /** {@return whether the TCP connection carries all bytes from here on} */
    public boolean isFallen() {
        return isFallen;
    }

    /** {@return the number of wake-ups so far} */
    public long wakeUps() {
        return wakeUps;
    }

    /** Lets all waiters look at the channel again, also a waiter that has looked and does not wait yet. */
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
        if (isKept) {
            core.keeper().wake();
        }
        if (sleeperCount > 0) {
            state.lock();
            try {
                change.signalAll();
            } finally {
                state.unlock();
            }
        }
        final LinkListener channel = listener;
        if (channel != null) {
            channel.changed();
        }
    }

    // ---- arriving pieces: in the handler of UCX ----

    /**
     * Takes a piece.
     *
     * @param from where the bytes of the stream begin in the data of the message
     */
    void arrived(long word, long consumed, UcxMessage message, int from) {
        state.lock();
        try {
            final long place = StreamPieceLayout.place(word);
            if (place != nextPlace) {
                if (place > nextPlace && early == null) {
                    early = new EarlyPieces();
                }
                if (early == null || place < nextPlace || !early.add(word, consumed, message, from)) {
                    core.dutyOfHandler(() -> lose("Connection reset"));
                }
                return;
            }
            nextPlace++;
            final int kind = StreamPieceLayout.kind(word);
            if (first.isOpen()) {                               // at place 0, never among early pieces
                first.told(kind == StreamPieceLayout.FIRST && message.length() - from == Long.BYTES
                    ? message.dataLong(from) : 0);
                core.watch().lookAgain(this);
            }
            if (kind == StreamPieceLayout.DATA && !isCloseWanted) {
                arrived.add(message, from, !first.isNext());
            }
            handle(word, consumed);
            arrivedEarly();
        } finally {
            state.unlock();
        }
        changed();
    }

    /** Handles pieces that have waited for the last piece. */
    private void arrivedEarly() {
        final EarlyPieces waiting = early;
        if (waiting == null) {
            return;
        }
        for (EarlyPieces.Piece next = waiting.remove(nextPlace); next != null; next = waiting.remove(nextPlace)) {
            nextPlace++;
            if (StreamPieceLayout.kind(next.word()) == StreamPieceLayout.DATA && !isCloseWanted) {
                arrived.add(next.bytes());
            }
            handle(next.word(), next.consumed());
        }
    }

    /** Does what follows from a piece, beside its bytes. */
    private void handle(long word, long consumed) {
        if (consumed > peerReadBytes) {
            peerReadBytes = consumed;
        }
        switch (StreamPieceLayout.kind(word)) {
            case StreamPieceLayout.FIN -> isFinArrived = true;
            case StreamPieceLayout.CLOSE -> {
                isFinArrived = true;
                isPeerClosed = true;
                core.dutyOfHandler(this::answerClose);
            }
            case StreamPieceLayout.RESET -> {
                isPeerClosed = true;
                lost = "Connection reset";
                core.dutyOfHandler(this::answerClose);
            }
            case StreamPieceLayout.CLOSED -> core.dutyOfHandler(this::end);
            case StreamPieceLayout.ACCEPTED -> core.dutyOfHandler(this::confirm);
            default -> { }                                      // DATA, CREDIT, and what a newer peer may send
        }
    }

    // ---- duties, behind progress ----

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
            final long bytes = first.count();
            sentBytes.set(bytes);
            isConfirmed = true;
            final SendSlab buffer = core.sendPool().take(Long.BYTES);
            sendPiece(StreamPieceLayout.FIRST, buffer, StreamPieceLayout.writeFirst(buffer.memory(), bytes));
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
                TcpWatch.resetAtClose(connection);
            }
            core.watch().close(connection);
        }
        state.lock();
        try {
            if (isCloseWanted) {
                arrived.drop();
            }
        } finally {
            state.unlock();
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
            core.keeper().signalHelper();
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
            + ", " + arrived + (isConfirmed ? ", confirmed" : "")
            + (isFallen ? ", by TCP" : "") + (lost == null ? "" : ", " + lost);
    }
}
