package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.wire.Frame;
import java.nio.charset.StandardCharsets;

/** An answer with the reason why a request has failed: a code of two bytes, and a text for people. */
final class FailureMessage {
    /** Longest text sent, in bytes. */
    private static final int TEXT_BYTES_MAX = 1 << 10;
    private static final int NO_HANDLER_CODE = 1;
    private static final int FAILED_CODE = 2;
    private static final int DENIED_CODE = 3;

    private FailureMessage() {}

    /** Returns the answer to a request. */
    static OutgoingMessage of(int type, int lane, long correlation, Reason reason, String what) {
        final byte[] text = what.getBytes(StandardCharsets.UTF_8);
        final byte[] payload = new byte[Short.BYTES + Math.min(text.length, TEXT_BYTES_MAX)];
        payload[0] = (byte) (reason == Reason.NO_HANDLER ? NO_HANDLER_CODE
            : reason == Reason.DENIED ? DENIED_CODE : FAILED_CODE);
        System.arraycopy(text, 0, payload, Short.BYTES, payload.length - Short.BYTES);
        return OutgoingMessage.of(type, lane, Frame.RESPONSE | Frame.FAILED, correlation, payload, 0, payload.length);
    }

    /** Returns the kind of a received failure. */
    static Reason reason(byte[] bytes, int length) {
        return length < Short.BYTES ? Reason.FAILED : switch (bytes[0]) {
            case NO_HANDLER_CODE -> Reason.NO_HANDLER;
            case DENIED_CODE -> Reason.DENIED;
            default -> Reason.FAILED;
        };
    }

    /** Returns the text of a received failure. */
    static String text(byte[] bytes, int length) {
        return length < Short.BYTES ? "it has not said why"
            : new String(bytes, Short.BYTES, length - Short.BYTES, StandardCharsets.UTF_8);
    }
}
