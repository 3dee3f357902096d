package io.teff.cluster.net;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a session that come in parts. What has come of one is handled credit: a message may be longer than the
 * window, and is bounded by what its type allows. By the agent only.
 */
final class Fragments {
    /** Most messages that have begun and not ended. */
    private static final int COUNT_MAX = 256;

    /**
     * What tells a message from others.
     *
     * @param correlation its number
     * @param kind request, response or neither
     */
    private record Key(long correlation, int kind) {}

    private final Map<Key, Delivery> begun = new HashMap<>();

    /**
     * Adds a part; the whole message if it was the last.
     *
     * @param part says which message; kept if it is the first
     */
    @Nullable Delivery add(Delivery part, MemorySegment memory, long from, int bytes, int limit)
        throws ProtocolException {
        final Key key = new Key(part.correlation(), part.flags() & (Frame.REQUEST | Frame.RESPONSE));
        Delivery whole = begun.get(key);
        if (whole == null) {
            if (begun.size() == COUNT_MAX) {
                throw new ProtocolException("more than " + COUNT_MAX + " messages have begun");
            }
            whole = part;
            part.keep();
            begun.put(key, part);
        } else if (whole.type() != part.type() || whole.lane() != part.lane()) {
            throw new ProtocolException("a message of type " + whole.type() + " goes on with type " + part.type());
        }
        if (bytes > limit - whole.length()) {
            throw new ProtocolException("a message of type " + part.type() + " has more than " + limit + " bytes");
        }
        whole.append(memory, from, bytes);
        if ((part.flags() & Frame.LAST) == 0) {
            return null;
        }
        begun.remove(key);
        if (whole != part) {
            part.end();
        }
        return whole;
    }
}
