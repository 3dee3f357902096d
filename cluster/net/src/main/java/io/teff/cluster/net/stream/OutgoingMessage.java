package io.teff.cluster.net.stream;

import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A message on the way into a stream, as one frame. A message longer than a frame of the ring is put as fragments.
 * Counts the bytes put. For one thread.
 *
 * <p>The bytes are in an array. For a long message, the array has at most the bytes of the next fragment; after a put
 * the codec replaces these bytes by the next bytes.
 */
final class OutgoingMessage {
    private static final byte[] NONE = new byte[0];
    private static final int REST_BYTES_MIN = 64 << 10;

    private int type;
    private int lane;
    private int flags;
    private long correlation;
    /** Writes the bytes behind the bytes in the array; null if there are no further bytes. */
    private @Nullable MessageWriter<?> more;
    private byte[] payload = NONE;
    /** Has the bytes in place of the array, from {@link #sourceAt} on; null if the array has the bytes. */
    private @Nullable MemorySegment source;
    private long sourceAt;
    /** The unput bytes in the array, or of the source. */
    private int start;
    private int size;
    /** Bytes already put. */
    private int done;
    private boolean isBegun;
    private int frameBytes;
    private boolean isCrowded;

    /** Returns a message with all bytes in the array. */
    static OutgoingMessage of(int type, int lane, int flags, long correlation, byte[] payload, int start, int size) {
        return new OutgoingMessage().set(type, lane, flags, correlation, null, payload, start, size);
    }

    /**
     * Makes this object a new message, not yet begun.
     *
     * @param parts writes the bytes into the array as bytes are put; null if the array has the bytes already
     * @return this
     */
    OutgoingMessage set(int ofType, int ofLane, int withFlags, long withCorrelation,
                               @Nullable MessageWriter<?> parts, byte[] bytes, int from, int count) {
        type = ofType;
        lane = ofLane;
        flags = withFlags;
        correlation = withCorrelation;
        more = parts;
        payload = bytes;
        source = null;
        start = from;
        size = count;
        done = 0;
        isBegun = false;
        frameBytes = 0;
        isCrowded = false;
        return this;
    }

    /**
     * Makes this object a new message, not yet begun. The bytes of the message are in memory, and the memory must not
     * change during the put.
     *
     * @return this
     */
    OutgoingMessage set(int ofType, int ofLane, int withFlags, long withCorrelation, MemorySegment memory, long from,
                        int count) {
        set(ofType, ofLane, withFlags, withCorrelation, null, NONE, 0, count);
        source = memory;
        sourceAt = from;
        return this;
    }

    /** Drops the references to the bytes. */
    void release() {
        source = null;
        payload = NONE;
        more = null;
        size = 0;
    }

    int lane() {
        return lane;
    }

    /**
     * Returns the number of bytes of the payload. If the number is not yet known, returns more than a frame can have.
     */
    int sizeMin() {
        return more == null ? done + size : Frame.BYTES_MAX;
    }

    /** Returns the number of unput bytes in the array. */
    int size() {
        return size;
    }

    boolean isAnswer() {
        return (flags & Frame.RESPONSE) != 0;
    }

    /** Returns whether this is a request whose correlation passes a test. */
    boolean isRequest(LongPredicate test) {
        return (flags & Frame.REQUEST) != 0 && test.test(correlation);
    }

    /** Returns the length of the frame that has found no room. */
    int frameBytes() {
        return frameBytes;
    }

    /** Returns whether the message must not begin, because too many messages have begun. */
    boolean isCrowded() {
        return isCrowded;
    }

    /** Returns whether a fragment of the message is in the stream. */
    boolean isBegun() {
        return isBegun;
    }

    /** Puts as much as there is room for; returns OK if the whole message is put, FULL, or ENDED. */
    int put(MessageTarget to) {
        final SendStream out = to.out();
        while (true) {
            final int max = out.lengthMax();
            final boolean isAll = make(max - Frame.LONG_HEAD_BYTES);
            final int result;
            if (!isBegun && isAll && Frame.headBytes(flags) + size <= max && (flags & Frame.SKIPPED) == 0) {
                frameBytes = Frame.headBytes(flags) + size;
                result = putFrame(out, flags, size);
                if (result == SendStream.OK) {
                    return result;
                }
            } else {
                final int part = Math.min(max - Frame.LONG_HEAD_BYTES, size);
                final boolean isLast = isAll && part == size;
                frameBytes = Frame.LONG_HEAD_BYTES + part;
                isCrowded = !isBegun && !isLast && !to.beginFragments(isAnswer());
                if (isCrowded) {
                    return SendStream.FULL;
                }
                result = putFragment(to, part, isLast);
                if (result == SendStream.OK) {
                    isBegun = true;
                    start += part;
                    size -= part;
                    done += part;
                    if (isLast) {
                        return result;
                    }
                    to.signal();                     // the fragment may leave during the encoding of the next fragment
                }
            }
            if (result == SendStream.ENDED || result == SendStream.FULL && !out.grow(frameBytes, isAnswer())) {
                return result;
            }
        }
    }

    /** Puts the next bytes as a fragment. If its first fragment is not put, a message does not count as begun. */
    private int putFragment(MessageTarget to, int bytes, boolean isLast) {
        int result = SendStream.FULL;
        try {
            result = putFrame(to.out(), flags | Frame.FRAGMENT | (isLast ? Frame.LAST : 0), bytes);
            return result;
        } finally {                                             // also if the bytes cannot be read
            if (result == SendStream.OK ? isLast && isBegun : !isLast && !isBegun) {
                to.endFragments(isAnswer());
            }
        }
    }

    /** Puts the next bytes as one frame. */
    private int putFrame(SendStream out, int withFlags, int bytes) {
        final MemorySegment memory = source;
        return memory == null ? out.put(type, lane, withFlags, correlation, payload, start, bytes)
            : out.put(type, lane, withFlags, correlation, memory, sourceAt + start, bytes);
    }

    /** Writes the next bytes, at most this many; returns whether no bytes follow. */
    private boolean make(int bytes) {
        final MessageWriter<?> writer = more;
        if (writer == null || writer.isDone()) {
            return true;
        }
        final int wanted = Math.min(bytes, payload.length);
        if (size < wanted) {
            System.arraycopy(payload, start, payload, 0, size);
            start = 0;
            size += writer.make(payload, size, wanted - size, done + size);
        }
        return writer.isDone();
    }

    /** Returns the rest of the message, with all bytes in a separate array; the bytes are encoded now. */
    OutgoingMessage rest() {
        final MemorySegment memory = source;
        byte[] all = memory == null ? Arrays.copyOfRange(payload, start, start + size) : new byte[size];
        if (memory != null) {
            Frame.copyOut(memory, sourceAt + start, all, 0, size);
        }
        int count = size;
        while (more != null && !more.isDone()) {
            if (count == all.length) {
                all = Arrays.copyOf(all, (int) Math.min(Math.max(2L * count, REST_BYTES_MIN),
                    more.bytesMax() - done + 1L));
            }
            count += more.make(all, count, all.length - count, done + count);
        }
        final OutgoingMessage rest = of(type, lane, flags, correlation, all, 0, count);
        rest.isBegun = isBegun;
        return rest;
    }

    /** Returns the frame that cuts the message off: the peer discards the received part of the message. */
    OutgoingMessage dropped() {
        final int kind = flags & (Frame.REQUEST | Frame.RESPONSE);
        final OutgoingMessage end = of(type, lane, kind | Frame.SKIPPED, correlation, NONE, 0, 0);
        end.isBegun = true;
        return end;
    }
}
