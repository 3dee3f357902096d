package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.os.FailureText;

/**
 * A chunk or collection that has a name.
 *
 * @param kind kind of the collection, or CHUNK
 * @param cid the chunk, or the collection's root
 * @param keys description of the codec of keys or elements; empty for a chunk
 * @param values description of the codec of values; empty if there are none
 * @param order name of the comparator of a sorted map; empty if there is no comparator, or the comparator has no name
 */
public record NamedRoot(Kind kind, long cid, String keys, String values, String order) {
    /** The kinds of objects with a name. */
    public enum Kind {
        /** A single chunk of the application. */
        CHUNK,
        /** A hash map. */
        MAP,
        /** A hash set. */
        SET,
        /** A list. */
        LIST,
        /** A queue. */
        QUEUE,
        /** A sorted map. */
        SORTED_MAP
    }

    /** Codec of the directory's values. */
    static final Codec<NamedRoot> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x4E41_4D45_0000_0001L;

        @Override
        public void write(NamedRoot root, Output out) {
            out.putByte((byte) root.kind.ordinal());
            out.putLong(root.cid);
            out.putString(root.keys);
            out.putString(root.values);
            if (!root.order.isEmpty()) {
                out.putString(root.order);
            }
        }

        @Override
        public NamedRoot read(Input in) {
            byte kind = in.getByte();
            if (kind < 0 || kind >= Kind.values().length) {
                throw new MalformedException(in.offset(), "a named root of kind " + kind, null);
            }
            return new NamedRoot(Kind.values()[kind], in.getLong(), in.getString(), in.getString(),
                in.left() > 0 ? in.getString() : "");
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }
    };

    /** Makes the entry of a chunk, or of a collection without a comparator. */
    NamedRoot(Kind kind, long cid, String keys, String values) {
        this(kind, cid, keys, values, "");
    }

    /** Returns the same description of a collection with another root. */
    NamedRoot at(long root) {
        return new NamedRoot(kind, root, keys, values, order);
    }

    /** Returns this description with the order of another one if the order of this one has no name. */
    NamedRoot orderedAs(NamedRoot other) {
        return order.isEmpty() ? new NamedRoot(kind, cid, keys, values, other.order) : this;
    }

    /** Returns a description for exception messages, without the whole of long types. */
    String describe() {
        return describe(this);
    }

    /** Returns a description for exception messages that compare this entry with another entry. */
    String describe(NamedRoot other) {
        String ofKeys = FailureText.excerpt(keys, other.keys);
        String ofValues = FailureText.excerpt(values, other.values);
        return switch (kind) {
            case CHUNK -> "a chunk";
            case MAP -> "a map of " + ofKeys + " to " + ofValues;
            case SET -> "a set of " + ofKeys;
            case LIST -> "a list of " + ofKeys;
            case QUEUE -> "a queue of " + ofKeys;
            case SORTED_MAP -> "a sorted map of " + ofKeys + " to " + ofValues
                + (order.isEmpty() ? "" : " in the order '" + order + "'");
        };
    }
}
