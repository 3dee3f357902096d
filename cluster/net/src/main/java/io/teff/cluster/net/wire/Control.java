package io.teff.cluster.net.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Control frames: reports of one side about the streams. Control frames have place 0, no lane, and belong to no stream.
 * <pre>
 *  PROGRESS  received i64, limit i64      what is received need not be kept, what is beyond the limit not be sent
 *  CLOSING   code u16                     no frame follows: 0 the node is closed, 1 the link rests
 * </pre>
 */
public final class Control {
    /** Type of PROGRESS. */
    public static final int PROGRESS = 1;
    /** Type of CLOSING. */
    public static final int CLOSING = 2;

    /** Code of CLOSING: the node is closed. */
    public static final int END = 0;
    /**
     * Code of CLOSING: the link is closed to rest. Everything sent has arrived, and the session continues when needed.
     */
    public static final int REST = 1;

    /** Most bytes of a control frame. */
    public static final int BYTES_MAX = Frame.HEAD_BYTES + 2 * Long.BYTES;

    private static final int RECEIVED_AT = Frame.HEAD_BYTES;
    private static final int LIMIT_AT = RECEIVED_AT + Long.BYTES;

    private Control() {}

    /** {@return memory for one control frame} */
    public static MemorySegment allocate() {
        return Arena.ofAuto().allocate(BYTES_MAX, Frame.ALIGNMENT);
    }

    /**
     * Writes PROGRESS.
     *
     * @param memory to write to
     * @param at offset, a multiple of 8
     * @param received position of the peer's stream to which everything has arrived
     * @param limit end of the positions that the peer may send
     * @return bytes of the frame
     */
    public static int putProgress(MemorySegment memory, long at, long received, long limit) {
        Bytes.putLong(memory, at + RECEIVED_AT, received);
        Bytes.putLong(memory, at + LIMIT_AT, limit);
        return end(memory, at, PROGRESS, 2 * Long.BYTES);
    }

    /**
     * Writes CLOSING.
     *
     * @param memory to write to
     * @param at offset, a multiple of 8
     * @param code the reason
     * @return bytes of the frame
     */
    public static int putClosing(MemorySegment memory, long at, int code) {
        Bytes.putLong(memory, at + RECEIVED_AT, code);
        return end(memory, at, CLOSING, Short.BYTES);
    }

    private static int end(MemorySegment memory, long at, int type, int payloadBytes) {
        Frame.begin(memory, at, type, 0, Frame.CONTROL, 0);
        Frame.commit(memory, at, Frame.HEAD_BYTES + payloadBytes, 0);
        return Frame.taken(Frame.HEAD_BYTES + payloadBytes);
    }

    /**
     * Checks a control frame already valid as a frame.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return type of the frame
     * @throws ProtocolException if the type is unknown, or the length does not match the type
     */
    public static int check(MemorySegment memory, long at) throws ProtocolException {
        final int type = Frame.type(memory, at);
        final int payload = Frame.length(memory, at) - Frame.HEAD_BYTES;
        final int wanted = switch (type) {
            case PROGRESS -> 2 * Long.BYTES;
            case CLOSING -> Short.BYTES;
            default -> throw new ProtocolException("a control frame has type " + type);
        };
        if (payload != wanted) {
            throw new ProtocolException("a control frame of type " + type + " has " + payload + " bytes, not "
                + wanted);
        }
        return type;
    }

    /**
     * Returns the received position of PROGRESS.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return the position
     */
    public static long received(MemorySegment memory, long at) {
        return Bytes.getLong(memory, at + RECEIVED_AT);
    }

    /**
     * Returns the limit of PROGRESS.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return the position
     */
    public static long limit(MemorySegment memory, long at) {
        return Bytes.getLong(memory, at + LIMIT_AT);
    }

    /**
     * Returns the code of CLOSING.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return 0 to 65,535
     */
    public static int code(MemorySegment memory, long at) {
        return Bytes.getShort(memory, at + RECEIVED_AT);
    }
}
