package io.teff.cluster.net.stream;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a session that come in parts, from the first to the last of these. Answers are counted apart, as nothing
 * else may keep them from coming. By the agent only.
 */
public final class FragmentTable {
    /** Most answers that have begun and not ended, and most others; senders keep to it. */
    public static final int COUNT_MAX = 256;

    /**
     * What tells a message from others.
     *
     * @param correlation its number
     * @param kind request, response or neither
     */
    private record Key(long correlation, int kind) {}

    private final Map<Key, IncomingMessage> begun = new HashMap<>();
    private int answers;

    /** Whether a part of a message has come, and not all of it. */
    public boolean hasBegun() {
        return !begun.isEmpty();
    }

    private static Key key(Delivery part) {
        return new Key(part.correlation(), part.flags() & (Frame.REQUEST | Frame.RESPONSE));
    }

    /** The message that a part belongs to; null if that begins with it. */
    @Nullable IncomingMessage find(Delivery part) throws ProtocolException {
        final IncomingMessage message = begun.get(key(part));
        if (message != null && !message.isOf(part.type(), part.lane())) {
            throw new ProtocolException("a message goes on with type " + part.type() + " and lane " + part.lane());
        }
        return message;
    }

    /** A message has begun with a part. */
    public void add(Delivery part, IncomingMessage message) throws ProtocolException {
        if ((part.isResponse() ? answers : begun.size() - answers) == COUNT_MAX) {
            throw new ProtocolException("more than " + COUNT_MAX + " messages have begun");
        }
        begun.put(key(part), message);
        answers += part.isResponse() ? 1 : 0;
    }

    /** A message ends with a part. */
    public void remove(Delivery part) {
        if (begun.remove(key(part)) != null && part.isResponse()) {
            answers--;
        }
    }

    /** Adds what is kept of messages that have begun; while nobody reads. */
    void addTo(RetainedBytes held) {
        begun.values().forEach(it -> it.addTo(held));
    }

    /** Recomputes its count, and looks whether it keeps to its bounds. */
    void audit() {
        final long counted = begun.keySet().stream().filter(it -> it.kind == Frame.RESPONSE).count();
        if (counted != answers || answers > COUNT_MAX || begun.size() - answers > COUNT_MAX) {
            throw new IllegalStateException("fragments: " + answers + " answers, counted " + counted + ", of "
                + begun.size());
        }
    }
}
