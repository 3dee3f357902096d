package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the incoming bytes of a handshake into messages. Keeps one message at most, and takes {@link #BYTES_MAX} bytes
 * in all. For one thread.
 */
public final class GreetingReader {
    /** Most bytes that a side may send before the end of the handshake. */
    public static final int BYTES_MAX = 64 << 10;

    /** First bytes of a record of TLS: a kind from 20 to 23, and the version 3. */
    private static final int TLS_KIND_MIN = 20;
    private static final int TLS_KIND_MAX = 23;
    private static final int TLS_VERSION = 3;

    private final ByteBuffer part = ByteBuffer.allocate(Greeting.HEAD_BYTES + Greeting.Hello.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
    private int taken;
    /** Set while bytes are read; stays set if the bytes break a rule. */
    private boolean isBroken;

    /**
     * Returns bytes in the form taken by {@link #read}.
     *
     * @param memory of the bytes
     * @param from first byte
     * @param bytes number of bytes
     * @return a view of the bytes
     */
    public static ByteBuffer view(MemorySegment memory, long from, int bytes) {
        return memory.asSlice(from, bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Takes bytes up to the end of a message.
     *
     * @param from bytes of the link; bytes behind the message stay
     * @return the message, or null if the message is incomplete and all bytes are taken
     * @throws ProtocolException if the bytes are not a message, or too many; then no further bytes are accepted
     * @throws RefusedException if the bytes are of TLS; then no further bytes are accepted
     */
    public @Nullable Greeting read(ByteBuffer from) throws ProtocolException, RefusedException {
        if (isBroken) {
            throw new ProtocolException("bytes follow invalid ones");
        }
        isBroken = true;
        final Greeting message = cut(from);
        isBroken = false;
        return message;
    }

    private @Nullable Greeting cut(ByteBuffer from) throws ProtocolException, RefusedException {
        if (part.position() < Greeting.HEAD_BYTES && !fill(from, Greeting.HEAD_BYTES)) {
            checkNoTls();
            return null;
        }
        checkNoTls();
        final int length = Greeting.bytes(part.slice(0, Greeting.HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN));
        if (!fill(from, length)) {
            return null;
        }
        part.flip();
        final Greeting message = Greeting.read(part);
        part.clear();
        return message;
    }

    /** Checks that the first message is no record of TLS. The refusal of a node with TLS is shorter than a head. */
    private void checkNoTls() throws RefusedException {
        final boolean isFirst = taken <= part.position();
        if (isFirst && part.position() > 1 && part.get(0) >= TLS_KIND_MIN && part.get(0) <= TLS_KIND_MAX
            && part.get(1) == TLS_VERSION) {
            throw new RefusedException(Refusal.TLS, true);
        }
    }

    private boolean fill(ByteBuffer from, int until) throws ProtocolException {
        final int bytes = Math.min(until - part.position(), from.remaining());
        taken += bytes;
        if (taken > BYTES_MAX) {
            throw new ProtocolException("more than " + BYTES_MAX + " bytes came before the proof");
        }
        part.put(from.slice(from.position(), bytes));
        from.position(from.position() + bytes);
        return part.position() == until;
    }
}
