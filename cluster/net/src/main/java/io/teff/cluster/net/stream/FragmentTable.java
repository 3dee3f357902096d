package io.teff.cluster.net.stream;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a session with some fragments arrived, but not the last fragment. Answers are counted separately, so
 * that messages cannot delay answers. By the agent only.
 */
public final class FragmentTable {
    /** Most begun and not ended answers, and most begun and not ended messages; senders keep to this limit. */
    public static final int COUNT_MAX = 256;

    /**
     * The identity of a message within a session.
     *
     * @param correlation number of the message
     * @param kind request, response or neither
     */
    private record Key(long correlation, int kind) {}

    private final Map<Key, IncomingMessage> begun = new HashMap<>();
    private int answers;

    /** {@return whether the first fragment of a message has arrived, but not the last} */
    public boolean hasBegun() {
        return !begun.isEmpty();
    }

    private static Key key(Delivery part) {
        return new Key(part.correlation(), part.flags() & (Frame.REQUEST | Frame.RESPONSE));
    }

    /** Returns the message of a fragment; null if the fragment is the first of its message. */
    @Nullable IncomingMessage find(Delivery part) throws ProtocolException {
        final IncomingMessage message = begun.get(key(part));
        if (message != null && !message.isOf(part.type(), part.lane())) {
            throw new ProtocolException("a message goes on with type " + part.type() + " and lane " + part.lane());
        }
        return message;
    }

    /** Adds a message beginning with a fragment. */
    public void add(Delivery part, IncomingMessage message) throws ProtocolException {
        if ((part.isResponse() ? answers : begun.size() - answers) == COUNT_MAX) {
            throw new ProtocolException("more than " + COUNT_MAX + " messages have begun");
        }
        begun.put(key(part), message);
        answers += part.isResponse() ? 1 : 0;
    }

    /** Removes the message ending with a fragment. */
    public void remove(Delivery part) {
        if (begun.remove(key(part)) != null && part.isResponse()) {
            answers--;
        }
    }

    /** Adds the bytes held for these messages; while no thread reads. */
    void addTo(RetainedBytes held) {
        begun.values().forEach(it -> it.addTo(held));
    }

    /** Recomputes the count of answers, and checks the limits. */
    void audit() {
        final long counted = begun.keySet().stream().filter(it -> it.kind == Frame.RESPONSE).count();
        if (counted != answers || answers > COUNT_MAX || begun.size() - answers > COUNT_MAX) {
            throw new IllegalStateException("fragments: " + answers + " answers, counted " + counted + ", of "
                + begun.size());
        }
    }
}
