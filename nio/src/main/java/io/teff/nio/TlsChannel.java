package io.teff.nio;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 (RFC 8446) over a non-blocking socket, by the {@link SSLEngine} of the JDK. Both sides present certificates.
 * No method blocks: a method that cannot continue returns, and is called again when the socket is ready. For one
 * thread.
 *
 * <pre>
 *  socket ──→ received, records ──→ unwrap ──→ reader
 *  socket ←── wrapped, one record ←── wrap ←── writer
 * </pre> Both buffers belong to the agent ({@link TlsBuffers}). An incomplete record, and bytes that the socket did not
 * accept, are copied to memory of that length; the only memory of an idle link is the memory of its engine.
 */
final class TlsChannel {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /**
     * Maximum number of bytes received in a handshake. Certificates have a few KiB, and the engine accepts no message
     * above 32 KiB, so more is an attack. An unauthenticated peer can occupy this and about 16 KiB.
     */
    private static final int HANDSHAKE_BYTES_MAX = 40 << 10;
    /** Maximum number of reads of the socket per {@link #read}, so that no sender can occupy the thread. */
    private static final int RECEIVES_MAX = 6;
    /**
     * Initial allowance of records without payload. The allowance grows by 1 per MiB received. Such records request new
     * keys, or nothing, and each costs as much as a message.
     */
    private static final int EMPTY_RECORDS_MAX = 32;
    private static final int EMPTY_RECORDS_SHIFT = 20;
    /** Begin of the engine's text for an alert of the other side. */
    private static final String ALERT = "Received fatal alert";
    /** The engine's text if the other side has no certificate of the authorities that this side has named. */
    private static final String NO_CERTIFICATE = "Empty client certificate chain";

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final int recordBytes;
    private TlsBuffers buffers;
    /**
     * Received bytes that are not unwrapped, between position and limit. The agent's buffer during this link's turn.
     */
    private ByteBuffer received = NONE;
    /** Wrapped bytes that the socket has not accepted, between position and limit. */
    private ByteBuffer unsent = NONE;
    /** Whether {@link #received} has no complete record. */
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

    /** Returns the certificate that the peer has proven in the handshake; null before its end. */
    @Nullable X509Certificate peerCertificate() {
        try {
            return engine.getSession().getPeerCertificates()[0] instanceof X509Certificate proven ? proven : null;
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    /** Moves the channel to another agent. */
    void move(TlsBuffers newBuffers) {
        buffers = newBuffers;
    }

    private static SSLEngine engine(SSLContext context) throws IOException {
        try {
            return context.createSSLEngine();
        } catch (RuntimeException | Error e) {                  // thrown by a security provider
            throw new IOException("TLS cannot begin", e);
        }
    }

    /** Continues the handshake; returns whether it is complete. */
    boolean handshake() throws IOException {
        boolean isDone = false;
        takeTurn();
        try {
            final boolean isOver = shakeOn();
            isDone = true;
            return isOver;
        } catch (SSLException e) {
            throw named(e);
        } catch (IOException e) {                               // the caller may have closed its socket
            throw engine.getUseClientMode()
                ? new SSLException("the peer ended the connection during the TLS handshake; does it use TLS?", e) : e;
        } finally {
            endTurn();
            if (!isDone) {
                end();                                          // sends the alert with the reason
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

    /** Receives more bytes of the handshake, up to {@link #HANDSHAKE_BYTES_MAX}. */
    private boolean receiveHandshake() throws IOException {
        if (handshakeBytes + received.remaining() > HANDSHAKE_BYTES_MAX) {
            throw new SSLException("the TLS handshake has more than " + HANDSHAKE_BYTES_MAX + " bytes");
        }
        return receive();
    }

    /** Unwraps one record of the handshake. Empty records are limited, too. */
    private void unwrapHandshake() throws IOException {
        final int before = received.remaining();
        if (!unwrapNext(NONE.duplicate()) || hasMore) {
            throw new SSLException("TLS ended, or other bytes arrived, during the handshake");
        }
        handshakeBytes += before - received.remaining();
    }

    /** Runs the tasks of the engine, such as calls of the trust manager. */
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

    /** Copies received bytes that are not unwrapped to the agent's buffer, to have space behind these bytes. */
    private void takeTurn() {
        received = buffers.received(recordBytes).put(received).flip();
    }

    /** Releases the agent's buffer to the next link. */
    private void endTurn() {
        received = TlsBuffers.copy(received);
    }

    /** Reads from the socket; returns whether bytes arrived. */
    private boolean receive() throws IOException {
        received.compact();
        final int bytes;
        try {
            bytes = channel.read(received);
        } finally {
            received.flip();
        }
        if (bytes < 0) {
            throw new EOFException("the socket ended without the end of TLS");
        }
        isShort = bytes == 0;
        return bytes > 0;
    }

    /** Unwraps one record. Exceptions of a trust manager leave the engine here, too. */
    private SSLEngineResult unwrap(ByteBuffer to) throws IOException {
        try {
            return engine.unwrap(received, to);
        } catch (SSLException e) {
            throw named(e);
        } catch (RuntimeException | Error e) {
            throw new SSLException("TLS has failed", e);
        }
    }

    /** Returns the failure with the side whose certificate does not fit: texts of the engine name no side. */
    private static SSLException named(SSLException e) {
        final String text = String.valueOf(e.getMessage());
        if (e.getCause() instanceof SSLException) {
            return e;                                           // has the side
        } else if (text.contains(NO_CERTIFICATE)) {
            return new SSLException("the other side has no certificate of an authority that this side trusts: " + text,
                e);
        }
        return !text.contains(ALERT) || !text.contains("certificate") && !text.contains("unknown_ca") ? e
            : new SSLException("the other side does not accept the certificate of this side: " + text, e);
    }

    /** Unwraps a record, if there is a complete one; returns false if the peer has ended TLS. */
    private boolean unwrapNext(ByteBuffer to) throws IOException {
        final SSLEngineResult.Status status = unwrap(to).getStatus();
        hasMore = status == SSLEngineResult.Status.BUFFER_OVERFLOW;
        isShort = status == SSLEngineResult.Status.BUFFER_UNDERFLOW;
        return status != SSLEngineResult.Status.CLOSED;
    }

    /**
     * Reads available bytes. After an early stop, the socket still has bytes and the selector reports the socket again.
     *
     * @param to target
     * @return number of bytes, or -1 at the end
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
        final boolean goesOn = unwrapNext(to);
        payloadBytes += to.position() - from;
        if (to.position() == from && received.remaining() < before
            && ++emptyRecords > EMPTY_RECORDS_MAX + (payloadBytes >>> EMPTY_RECORDS_SHIFT)) {
            throw new SSLException("too many TLS records without payload");
        }
        return goesOn;
    }

    /** Answers requests of records, such as for new keys. */
    private void answer() throws IOException {
        final SSLEngineResult.HandshakeStatus status = engine.getHandshakeStatus();
        if (status == SSLEngineResult.HandshakeStatus.NEED_TASK) {
            runTasks();
        } else if (status == SSLEngineResult.HandshakeStatus.NEED_WRAP && flush()) {
            wrap(NONE);
        }
    }

    /** Returns whether {@link #read} stopped because the target was full. Only short targets become full. */
    boolean hasMore() {
        return hasMore;
    }

    // ---- writing ----

    /**
     * Wraps a record and writes it to the socket. Fails if the engine requires a longer record than TLS allows. The
     * engine does so if the peer's records are too long.
     */
    private void wrap(ByteBuffer from) throws IOException {
        final ByteBuffer record = buffers.wrapped(recordBytes);
        try {
            if (engine.wrap(from, record).getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                throw new SSLException("TLS requires a longer record than allowed");
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

    /** Writes unsent bytes to the socket; returns whether all bytes are sent. */
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
     * Wraps bytes as long as the socket accepts their records.
     *
     * @param from source
     * @return number of bytes consumed; the last record may need a {@link #flush}
     */
    int write(ByteBuffer from) throws IOException {
        final int start = from.position();
        while (flush() && from.hasRemaining()) {
            if (engine.isOutboundDone()) {
                throw new EOFException("the peer has ended TLS");
            }
            wrap(from);
        }
        return from.position() - start;
    }

    /** Sends the end of TLS, if the socket accepts it at once. */
    void end() {
        try {
            engine.closeOutbound();
            if (flush()) {
                wrap(NONE);
            }
        } catch (IOException _) {
            // the end of the socket has the same meaning
        }
    }
}
