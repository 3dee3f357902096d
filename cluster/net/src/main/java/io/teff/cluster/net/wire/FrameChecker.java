package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Checks frames before they are trusted, and adds checksums, without garbage while the memory is unchanged. */
public final class FrameChecker {
    private static final long INT_MASK = 0xFFFF_FFFFL;
    private static final int DROPPED = Frame.FRAGMENT | Frame.LAST | Frame.SKIPPED;

    private final CRC32C crc = new CRC32C();
    private @Nullable MemorySegment memory;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long summedBytes;

    /** Makes a checker for one thread. */
    public FrameChecker() {}

    /**
     * Adds the checksum to a complete frame.
     *
     * @param in the memory of the frame, at most 2^31 - 1 bytes
     * @param at offset of the frame
     */
    public void add(MemorySegment in, long at) {
        Bytes.putByte(in, at + Frame.FLAGS_AT, Frame.flags(in, at) | Frame.CHECKED);
        Bytes.putInt(in, at + Frame.CRC_AT, crc(in, at, Frame.length(in, at)));
    }

    /**
     * Checks a completely arrived frame.
     *
     * @param in the memory of the frame, at most 2^31 - 1 bytes
     * @param at offset of the frame; the length of the frame is valid
     * @param position of the frame in the stream
     * @throws ProtocolException if the frame breaks a rule
     */
    public void check(MemorySegment in, long at, long position) throws ProtocolException {
        final int length = Frame.length(in, at);
        final int flags = Frame.flags(in, at);
        if (length < Frame.headBytes(flags)) {
            throw new ProtocolException("a frame of flags " + flags + " has " + length + " bytes only");
        }
        checkPlace(in, at, position, flags);
        checkFlags(in, at, length, flags);
        final int given = Bytes.getInt(in, at + Frame.CRC_AT);
        final int real = (flags & Frame.CHECKED) == 0 ? 0 : crc(in, at, length);
        if (given != real) {
            throw new ProtocolException("a frame's checksum is " + Integer.toHexString(given) + ", not "
                + Integer.toHexString(real));
        }
        for (long pad = at + length; pad < at + Frame.taken(length); pad++) {
            if (Bytes.getByte(in, pad) != 0) {
                throw new ProtocolException("a frame's padding is not zero");
            }
        }
    }

    /** Returns the number of bytes covered by computed checksums so far. */
    long summedBytes() {
        return summedBytes;
    }

    private static void checkPlace(MemorySegment in, long at, long position, int flags) throws ProtocolException {
        final long place = Bytes.getInt(in, at + Frame.PLACE_AT) & INT_MASK;
        final long wanted = (flags & Frame.CONTROL) == 0 ? Frame.place(position) : 0;
        if (place != wanted) {
            throw new ProtocolException("a frame's place is " + place + ", not " + wanted);
        }
    }

    private static void checkFlags(MemorySegment in, long at, int length, int flags) throws ProtocolException {
        final int kind = flags & ~Frame.CHECKED;
        final boolean isEnd = (kind & ~Frame.REQUEST & ~Frame.RESPONSE) == DROPPED;
        final boolean isAlone = !isEnd && (kind & (Frame.CONTROL | Frame.SKIPPED)) != 0;
        final boolean isRight = isAlone ? kind == Frame.CONTROL || kind == Frame.SKIPPED
            : (kind & (Frame.REQUEST | Frame.RESPONSE)) != (Frame.REQUEST | Frame.RESPONSE)
                && ((kind & Frame.FAILED) == 0 || (kind & Frame.RESPONSE) != 0)
                && ((kind & Frame.LAST) == 0 || (kind & Frame.FRAGMENT) != 0);
        if (!isRight) {
            throw new ProtocolException("a frame has flags " + flags + " that exclude each other");
        }
        if (isAlone && Frame.lane(in, at) != 0) {
            throw new ProtocolException("a frame of flags " + flags + " has lane " + Frame.lane(in, at));
        }
        if (isEnd && length > Frame.LONG_HEAD_BYTES) {
            throw new ProtocolException("a message that is dropped ends with " + length + " bytes");
        }
        if ((kind & (Frame.FRAGMENT | Frame.LAST)) == Frame.FRAGMENT
            && length < Frame.LONG_HEAD_BYTES + Frame.FRAGMENT_BYTES_MIN) {
            throw new ProtocolException("a fragment has " + length + " bytes only");
        }
    }

    private int crc(MemorySegment in, long at, int length) {
        if (!in.equals(memory)) {
            memory = in;
            bytes = in.asByteBuffer();
        }
        final int from = (int) at;
        summedBytes += length;
        crc.reset();
        bytes.limit(from + length).position(from + Frame.HEAD_BYTES);
        crc.update(bytes);
        bytes.limit(from + Frame.CRC_AT).position(from);
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
