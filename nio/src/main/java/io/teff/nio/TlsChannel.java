package io.teff.nio;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS 1.3 (RFC 8446) over a socket that does not block, by the JDK's engine. Both sides show certificates. Nothing ever
 * waits: what cannot go on says so, and is called again when the socket is ready. For one thread.
 *
 * <pre>
 *  socket ──→ received, records ──→ unwrap ──→ who reads
 *  socket ←── wrapped, one record ←── wrap ←── who writes
 * </pre>
 * Both are its agent's ({@link TlsBuffers}). What is not a whole record yet, and what the socket does not take, is kept
 * in memory of that length; so a link that waits has none but its engine's.
 */
final class TlsChannel {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /**
     * A handshake of more is an attack: certificates have a few KiB, and the engine takes no message of more than 32.
     * So who has proved nothing has memory of this and some 16 KiB.
     */
    private static final int HANDSHAKE_BYTES_MAX = 40 << 10;
    /** Who sends without an end must not keep the thread: {@link #read} stops after so many reads of the socket. */
    private static final int RECEIVES_MAX = 6;
    /**
     * Records without payload ask for new keys, or for nothing, and each costs as much as a message. So many may come,
     * and one more with each MiB.
     */
    private static final int EMPTY_RECORDS_MAX = 32;
    private static final int EMPTY_RECORDS_SHIFT = 20;

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final int recordBytes;
    private TlsBuffers buffers;
    /** Between its position and limit: what is not unwrapped yet. The agent's while this link has its turn. */
    private ByteBuffer received = NONE;
    /** Between its position and limit: what the socket has not taken yet. */
    private ByteBuffer unsent = NONE;
    /** Whether there is no whole record. */
    private boolean isShort = true;
    private boolean hasMore;
    private int handshakeBytes;
    private long payloadBytes;
    private long emptyRecords;

    TlsChannel(SocketChannel channel, SSLContext context, boolean isDialer, TlsBuffers buffers) throws IOException {
        this.channel = channel;
        this.buffers = buffers;
        this.engine = engine(context);
        final SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3"});
        parameters.setNeedClientAuth(true);
        engine.setSSLParameters(parameters);
        engine.setUseClientMode(isDialer);
        engine.beginHandshake();
        recordBytes = engine.getSession().getPacketBufferSize();
    }

    /** It is another agent's from now on. */
    void move(TlsBuffers its) {
        buffers = its;
    }

    private static SSLEngine engine(SSLContext context) throws IOException {
        try {
            return context.createSSLEngine();
        } catch (RuntimeException | Error e) {                  // of a provider
            throw new IOException("TLS does not begin", e);
        }
    }

    /** Goes on with the handshake; true when it is over. */
    boolean shake() throws IOException {
        boolean isDone = false;
        takeTurn();
        try {
            final boolean isOver = shakeOn();
            isDone = true;
            return isOver;
        } catch (SSLException e) {
            throw e;
        } catch (IOException e) {                               // who calls may have changed its mind
            throw engine.getUseClientMode()
                ? new SSLException("the other side has ended in the middle of TLS' handshake: has it none?", e) : e;
        } finally {
            endTurn();
            if (!isDone) {
                end();                                          // says why to the other side
            }
        }
    }

    private boolean shakeOn() throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!flush()) {
                        return false;
                    }
                    wrap(NONE);
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (isShort && !receiveHandshake()) {
                        return false;
                    }
                    unwrapHandshake();
                }
                default -> {
                    return flush();
                }
            }
        }
    }

    /** Takes more of a handshake, unless too much has come already. */
    private boolean receiveHandshake() throws IOException {
        if (handshakeBytes + received.remaining() > HANDSHAKE_BYTES_MAX) {
            throw new SSLException("more than " + HANDSHAKE_BYTES_MAX + " bytes came in a handshake of TLS");
        }
        return receive();
    }

    /** Takes a record of the handshake. Some of them ask for nothing, so there could be any number. */
    private void unwrapHandshake() throws IOException {
        final int before = received.remaining();
        if (!unwrapped(NONE.duplicate()) || hasMore) {
            throw new SSLException("TLS has ended, or goes on with other bytes, in the middle of its handshake");
        }
        handshakeBytes += before - received.remaining();
    }

    /** A trust manager is asked here, too. */
    private void runTasks() throws IOException {
        try {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
        } catch (RuntimeException | Error e) {
            throw new SSLException("TLS has failed", e);
        }
    }

    // ---- reading ----

    /** What is not unwrapped yet is in the agent's memory from now on, with room behind it. */
    private void takeTurn() {
        received = buffers.received(recordBytes).put(received).flip();
    }

    /** The next link has that memory. */
    private void endTurn() {
        received = TlsBuffers.copy(received);
    }

    /** Takes what the socket has; false if that is nothing now. */
    private boolean receive() throws IOException {
        received.compact();
        final int bytes;
        try {
            bytes = channel.read(received);
        } finally {
            received.flip();
        }
        if (bytes < 0) {
            throw new EOFException("the socket has ended in the middle of TLS");
        }
        isShort = bytes == 0;
        return bytes > 0;
    }

    /** What a trust manager throws comes from here, as others have shown it their certificate. */
    private SSLEngineResult unwrap(ByteBuffer to) throws IOException {
        try {
            return engine.unwrap(received, to);
        } catch (RuntimeException | Error e) {
            throw new SSLException("TLS has failed", e);
        }
    }

    /** Unwraps a record, if there is a whole one; false if there will be none, as the other side has ended. */
    private boolean unwrapped(ByteBuffer to) throws IOException {
        final SSLEngineResult.Status status = unwrap(to).getStatus();
        hasMore = status == SSLEngineResult.Status.BUFFER_OVERFLOW;
        isShort = status == SSLEngineResult.Status.BUFFER_UNDERFLOW;
        return status != SSLEngineResult.Status.CLOSED;
    }

    /**
     * Reads what there is, or some of it: then the socket has more.
     *
     * @param to where to
     * @return bytes, or -1 at the end
     */
    int read(ByteBuffer to) throws IOException {
        final int from = to.position();
        int receives = 0;
        hasMore = false;
        takeTurn();
        try {
            while (!hasMore && !engine.isInboundDone()
                && (!isShort || receives++ < RECEIVES_MAX && receive()) && unwrappedSome(to)) {
                answer();
            }
        } catch (EOFException e) {
            if (to.position() == from) {
                return -1;
            }
        } finally {
            endTurn();
        }
        return to.position() > from || !engine.isInboundDone() ? to.position() - from : -1;
    }

    private boolean unwrappedSome(ByteBuffer to) throws IOException {
        final int before = received.remaining();
        final int from = to.position();
        final boolean goesOn = unwrapped(to);
        payloadBytes += to.position() - from;
        if (to.position() == from && received.remaining() < before
            && ++emptyRecords > EMPTY_RECORDS_MAX + (payloadBytes >>> EMPTY_RECORDS_SHIFT)) {
            throw new SSLException("too many records of TLS have no payload");
        }
        return goesOn;
    }

    /** A record may have asked for something, such as new keys. */
    private void answer() throws IOException {
        final SSLEngineResult.HandshakeStatus status = engine.getHandshakeStatus();
        if (status == SSLEngineResult.HandshakeStatus.NEED_TASK) {
            runTasks();
        } else if (status == SSLEngineResult.HandshakeStatus.NEED_WRAP && flush()) {
            wrap(NONE);
        }
    }

    /** Whether {@link #read} has stopped because there was no more room, which is so for short buffers only. */
    boolean hasMore() {
        return hasMore;
    }

    // ---- writing ----

    /**
     * Makes a record, and gives it to the socket. The engine may want more room than a record has, as when the other
     * side sends too long ones: then it ends.
     */
    private void wrap(ByteBuffer from) throws IOException {
        final ByteBuffer record = buffers.wrapped(recordBytes);
        try {
            if (engine.wrap(from, record).getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                throw new SSLException("TLS wants to answer with a longer record than there may be");
            }
        } catch (RuntimeException | Error e) {
            throw new SSLException("TLS has failed", e);
        }
        try {
            channel.write(record.flip());
        } finally {
            unsent = TlsBuffers.copy(record);
        }
    }

    /** Gives the socket what it has not taken; true if nothing is left. */
    boolean flush() throws IOException {
        if (!unsent.hasRemaining()) {
            return true;
        }
        channel.write(unsent);
        if (unsent.hasRemaining()) {
            return false;
        }
        unsent = NONE;
        return true;
    }

    /**
     * Takes bytes as long as the socket takes their records.
     *
     * @param from where they are
     * @return how many; the last record may not be {@link #flush}ed
     */
    int write(ByteBuffer from) throws IOException {
        final int start = from.position();
        while (flush() && from.hasRemaining()) {
            if (engine.isOutboundDone()) {
                throw new EOFException("the other side has ended TLS");
            }
            wrap(from);
        }
        return from.position() - start;
    }

    /** Tells the other side of the end, if the socket takes that at once. */
    void end() {
        try {
            engine.closeOutbound();
            if (flush()) {
                wrap(NONE);
            }
        } catch (IOException _) {
            // the socket's end says as much
        }
    }
}
