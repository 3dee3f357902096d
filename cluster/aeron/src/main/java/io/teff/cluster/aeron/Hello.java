package io.teff.cluster.aeron;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The first message of either end of a link. Little-endian:
 * <pre>
 *  0        8         12     16       20        24       32
 *  +--------+---------+------+--------+---------+--------+
 *  | magic  | version | port | stream | session | token  |    the dialer's, where it is answered; port 0 for ipc
 *  +--------+---------+------+--------+---------+--------+
 * </pre>
 * ACCEPT repeats the fields of CONNECT. The kind of the message is in Aeron's reserved value: one of the constants.
 *
 * @param port of the dialer
 * @param stream of the dialer, used by this link alone
 * @param session of the answer
 * @param token random
 */
record Hello(int port, int stream, int session, long token) {
    static final int BYTES = 32;

    /** Bytes of the link; Aeron's default value. */
    static final long DATA = 0;
    /** The dialer's first message. */
    static final long CONNECT = 1;
    /** The listener's first message. */
    static final long ACCEPT = 2;
    /** The last message of either end. */
    static final long CLOSE = 3;

    private static final long MAGIC = 0x4E52_4541_4646_4554L;   // TEFFAERN
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int PORT_AT = 12;
    private static final int STREAM_AT = 16;
    private static final int SESSION_AT = 20;
    private static final int TOKEN_AT = 24;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    UnsafeBuffer toBuffer() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BYTES]);
        buffer.putLong(0, MAGIC, ORDER);
        buffer.putInt(VERSION_AT, VERSION, ORDER);
        buffer.putInt(PORT_AT, port, ORDER);
        buffer.putInt(STREAM_AT, stream, ORDER);
        buffer.putInt(SESSION_AT, session, ORDER);
        buffer.putLong(TOKEN_AT, token, ORDER);
        return buffer;
    }

    /** Returns whether these bytes are a valid message. */
    static boolean isAt(DirectBuffer buffer, int from, int bytes) {
        return bytes == BYTES && buffer.getLong(from, ORDER) == MAGIC
            && buffer.getInt(from + VERSION_AT, ORDER) == VERSION;
    }

    static Hello read(DirectBuffer buffer, int from) {
        return new Hello(buffer.getInt(from + PORT_AT, ORDER), buffer.getInt(from + STREAM_AT, ORDER),
            buffer.getInt(from + SESSION_AT, ORDER), buffer.getLong(from + TOKEN_AT, ORDER));
    }

    /** Returns whether the dialer can be answered. */
    boolean isPossible(boolean isIpc) {
        return stream > 0 && (isIpc ? port == 0 : port > 0 && port <= 0xFFFF);
    }
}
