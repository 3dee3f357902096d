package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Cuts the incoming bytes of a link into frames, checks each frame, and passes the frame on. For one thread.
 *
 * <p>Frames are passed on in place. Only a frame that arrives in several pieces is copied to a separate buffer. The
 * buffer grows to the longest such frame, and is freed by {@link #rest}.
 */
public final class FrameInput {
    /** Takes frames, in order. */
    public interface Sink {
        /**
         * Takes a frame of the stream.
         *
         * @param memory of the frame, valid until the call returns
         * @param at offset of the frame
         * @throws ProtocolException if the frame cannot be taken
         */
        void frame(MemorySegment memory, long at) throws ProtocolException;

        /**
         * Takes a control frame.
         *
         * @param memory of the frame, valid until the call returns
         * @param at offset of the frame
         * @throws ProtocolException if the frame breaks a rule
         */
        void control(MemorySegment memory, long at) throws ProtocolException;
    }

    private static final byte[] NONE = new byte[0];
    private static final MemorySegment NONE_MEMORY = MemorySegment.ofArray(NONE);

    private final FrameChecker checker;
    private long position;
    /** Bytes of a frame before the arrival of its end. */
    private byte[] part = NONE;
    /** A view of these bytes; kept, as most reads end in the middle of a frame. */
    private MemorySegment partMemory = NONE_MEMORY;
    private int partBytes;
    /** Set while bytes are taken. Stays set until the next link if the bytes break a rule. */
    private boolean isBroken;
    private boolean isChecked;

    /**
     * Makes an input at position 0.
     *
     * @param checker checks each frame
     */
    public FrameInput(FrameChecker checker) {
        this.checker = checker;
    }

    /** {@return the position up to which all frames were passed on} */
    public long position() {
        return position;
    }

    /** {@return received bytes behind that position} */
    public int partBytes() {
        return partBytes;
    }

    /** Begins with a new link, at the end of the last frame passed on. */
    public void restart() {
        partBytes = 0;
        isBroken = false;
    }

    /**
     * Sets whether each frame of this link must have a checksum.
     *
     * @param isAgreed whether both sides have agreed to checksums
     */
    public void setChecked(boolean isAgreed) {
        isChecked = isAgreed;
    }

    /** Gives memory back if no partial frame is held. */
    public void rest() {
        if (partBytes == 0) {
            part = NONE;
            partMemory = NONE_MEMORY;
        }
    }

    /**
     * Takes bytes, and passes on all complete frames.
     *
     * @param memory of the bytes
     * @param from first byte
     * @param bytes number of bytes
     * @param sink takes the frames
     * @throws ProtocolException if the bytes break a rule; then no further bytes are accepted
     */
    public void take(MemorySegment memory, long from, int bytes, Sink sink) throws ProtocolException {
        if (isBroken) {
            throw new ProtocolException("bytes follow invalid ones");
        }
        isBroken = true;
        cut(memory, from, bytes, sink);
        isBroken = false;
    }

    private void cut(MemorySegment memory, long from, int bytes, Sink sink) throws ProtocolException {
        long at = from;
        final long end = from + bytes;
        if (partBytes > 0) {
            at += complete(memory, from, bytes, sink);
        }
        while (end - at >= Integer.BYTES) {
            final int length = Frame.length(memory, at);
            Frame.checkLength(length);
            final int taken = Frame.taken(length);
            if (end - at < taken) {
                break;
            }
            show(memory, at, sink);
            at += taken;
        }
        if (partBytes == 0 && at < end) {
            append(memory, at, (int) (end - at));
        }
    }

    /** Adds bytes to the incomplete frame, and passes the frame on when complete; returns the number of bytes taken. */
    private int complete(MemorySegment memory, long from, int bytes, Sink sink) throws ProtocolException {
        int taken = 0;
        if (partBytes < Integer.BYTES) {
            taken = Math.min(bytes, Integer.BYTES - partBytes);
            append(memory, from, taken);
            if (partBytes < Integer.BYTES) {
                return taken;
            }
        }
        final int length = Frame.length(partMemory, 0);
        Frame.checkLength(length);
        final int missing = Math.min(bytes - taken, Frame.taken(length) - partBytes);
        append(memory, from + taken, missing);
        if (partBytes == Frame.taken(length)) {
            partBytes = 0;
            show(partMemory, 0, sink);
        }
        return taken + missing;
    }

    private void append(MemorySegment memory, long from, int bytes) {
        if (part.length < partBytes + bytes) {
            part = Arrays.copyOf(part, Math.max(partBytes + bytes, Math.min(2 * part.length, Frame.BYTES_MAX)));
            partMemory = MemorySegment.ofArray(part);
        }
        Frame.copyOut(memory, from, part, partBytes, bytes);
        partBytes += bytes;
    }

    private void show(MemorySegment memory, long at, Sink sink) throws ProtocolException {
        checker.check(memory, at, position);
        if (isChecked && (Frame.flags(memory, at) & Frame.CHECKED) == 0) {
            throw new ProtocolException("a frame has no checksum");
        }
        if ((Frame.flags(memory, at) & Frame.CONTROL) != 0) {
            sink.control(memory, at);
        } else {
            position += Frame.taken(Frame.length(memory, at));
            sink.frame(memory, at);
        }
    }

    /**
     * Checks the bounds: no more than one frame is put together.
     *
     * @throws IllegalStateException if a bound is exceeded
     */
    public void audit() {
        if (position % Frame.ALIGNMENT != 0 || partBytes < 0 || partBytes > part.length
            || part.length > Frame.BYTES_MAX) {
            throw new IllegalStateException("input: " + partBytes + " bytes in " + part.length + " behind " + position);
        }
    }
}
