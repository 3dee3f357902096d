package io.teff.cluster.net;

import io.teff.cluster.net.ring.Outgoing;
import io.teff.cluster.net.wire.Frame;
import java.util.Arrays;

/**
 * A message on its way into a stream, as one frame or, if it is longer than the ring allows, as fragments. Remembers
 * how far it has come. For one thread.
 */
final class Message {
    private final int type;
    private final int lane;
    private final int flags;
    private final long correlation;
    private final byte[] payload;
    private final int start;
    private final int size;
    private int done;
    private boolean isBegun;

    private Message(int type, int lane, int flags, long correlation, byte[] payload, int start, int size) {
        this.type = type;
        this.lane = lane;
        this.flags = flags;
        this.correlation = correlation;
        this.payload = payload;
        this.start = start;
        this.size = size;
    }

    static Message of(int type, int lane, int flags, long correlation, byte[] payload, int start, int size) {
        return new Message(type, lane, flags, correlation, payload, start, size);
    }

    /** The same, as far as it has come, with bytes of its own. */
    Message copy() {
        final Message copy = new Message(type, lane, flags, correlation,
            Arrays.copyOfRange(payload, start, start + size), 0, size);
        copy.done = done;
        copy.isBegun = isBegun;
        return copy;
    }

    int lane() {
        return lane;
    }

    /** Whether a part of it is in the stream. */
    boolean isBegun() {
        return isBegun;
    }

    /** Puts as much of it as there is room for; OK if all of it is put, FULL, or ENDED. */
    int put(Outgoing out) {
        while (true) {
            final int max = out.lengthMax();
            final int result;
            if (!isBegun && Frame.headBytes(flags) + size <= max) {
                result = out.put(type, lane, flags, correlation, payload, start, size);
                if (result == Outgoing.OK) {
                    return result;
                }
            } else {
                final int part = Math.min(max - Frame.LONG_HEAD_BYTES, size - done);
                final boolean isLast = part == size - done;
                result = out.put(type, lane, flags | Frame.FRAGMENT | (isLast ? Frame.LAST : 0), correlation, payload,
                    start + done, part);
                if (result == Outgoing.OK) {
                    isBegun = true;
                    done += part;
                    if (isLast) {
                        return result;
                    }
                }
            }
            if (result == Outgoing.ENDED || result == Outgoing.FULL && !out.grow()) {
                return result;
            }
        }
    }
}
