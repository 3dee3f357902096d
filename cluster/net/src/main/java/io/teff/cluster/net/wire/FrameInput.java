package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Cuts the bytes of a link into frames and looks at each before it is shown. For one thread.
 *
 * <p>Frames are shown where they are. Only one whose bytes come in several pieces is put together in memory of its own,
 * which grows to the longest such frame and goes with {@link #rest}.
 */
public final class FrameInput {
    /** Told of frames, in order. */
    public interface Sink {
        /**
         * A frame of the stream.
         *
         * @param memory where it is, until the call returns
         * @param at offset of the frame
         * @throws ProtocolException if it cannot be taken
         */
        void frame(MemorySegment memory, long at) throws ProtocolException;

        /**
         * A control frame.
         *
         * @param memory where it is, until the call returns
         * @param at offset of the frame
         * @throws ProtocolException if it breaks a rule
         */
        void control(MemorySegment memory, long at) throws ProtocolException;
    }

    private static final byte[] NONE = new byte[0];
    private static final MemorySegment NONE_MEMORY = MemorySegment.ofArray(NONE);

    private final FrameChecker checker;
    private long position;
    /** Bytes of a frame whose end is not there yet. */
    private byte[] part = NONE;
    /** The same bytes; kept, as most reads end in the middle of a frame. */
    private MemorySegment partMemory = NONE_MEMORY;
    private int partBytes;
    /** While bytes are looked at, and until the next link if they break a rule. */
    private boolean isBroken;
    private boolean isChecked;

    /**
     * Makes one at position 0.
     *
     * @param checker looks at each frame
     */
    public FrameInput(FrameChecker checker) {
        this.checker = checker;
    }

    /** {@return the position up to which all frames were shown} */
    public long position() {
        return position;
    }

    /** {@return bytes behind that position that have come} */
    public int partBytes() {
        return partBytes;
    }

    /** A new link begins, at the end of what was shown. */
    public void restart() {
        partBytes = 0;
        isBroken = false;
    }

    /**
     * Says whether each frame of this link must have a checksum.
     *
     * @param isAgreed whether both sides have agreed to that
     */
    public void setChecked(boolean isAgreed) {
        isChecked = isAgreed;
    }

    /** Gives back memory if nothing is in it. */
    public void rest() {
        if (partBytes == 0) {
            part = NONE;
            partMemory = NONE_MEMORY;
        }
    }

    /**
     * Takes bytes, and shows all frames that are complete.
     *
     * @param memory where they are
     * @param from first byte
     * @param bytes how many
     * @param sink gets the frames
     * @throws ProtocolException if they break a rule; then nothing is taken any more
     */
    public void take(MemorySegment memory, long from, int bytes, Sink sink) throws ProtocolException {
        if (isBroken) {
            throw new ProtocolException("bytes follow what broke a rule");
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

    /** Adds to the frame that has begun, and shows it if its end is there; returns how many bytes were taken. */
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
     * Recomputes its bounds: no more than a frame is put together.
     *
     * @throws IllegalStateException which says what is wrong
     */
    public void audit() {
        if (position % Frame.ALIGNMENT != 0 || partBytes < 0 || partBytes > part.length
            || part.length > Frame.BYTES_MAX) {
            throw new IllegalStateException("input: " + partBytes + " bytes in " + part.length + " behind " + position);
        }
    }
}
