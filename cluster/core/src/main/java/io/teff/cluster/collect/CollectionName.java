package io.teff.cluster.collect;

import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;

/**
 * A queue, a list or a sorted map of a zone, as a request to open or make the collection names it.
 *
 * @param kind kind of the collection
 * @param name name in the zone
 * @param keys description of the codec of keys or elements
 * @param values description of the codec of the values of a sorted map; else empty
 * @param order name of the order of a sorted map; empty for the order of the keys' bytes
 */
public record CollectionName(NamedRoot.Kind kind, String name, String keys, String values, String order) {
    private static final NamedRoot.Kind[] KINDS = NamedRoot.Kind.values();

    /** Its codec. */
    public static final Codec<CollectionName> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x434F_4C4E_0000_0001L;

        @Override
        public void write(CollectionName name, Output out) {
            out.putByte((byte) name.kind.ordinal());
            out.putString(name.name);
            out.putString(name.keys);
            out.putString(name.values);
            out.putString(name.order);
        }

        @Override
        public CollectionName read(Input in) {
            final int kind = in.getByte();
            if (kind < NamedRoot.Kind.LIST.ordinal() || kind > NamedRoot.Kind.SORTED_MAP.ordinal()) {
                throw new MalformedException(in.offset(), "a collection of kind " + kind, null);
            }
            final CollectionName name = new CollectionName(KINDS[kind], in.getString(), in.getString(), in.getString(),
                in.getString());
            if (name.name.isEmpty() || in.left() > 0) {
                throw new MalformedException(in.offset(), "no name of a collection", null);
            }
            return name;
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }
    };

    static {
        assert NamedRoot.Kind.LIST.ordinal() + 1 == NamedRoot.Kind.QUEUE.ordinal()
            && NamedRoot.Kind.QUEUE.ordinal() + 1 == NamedRoot.Kind.SORTED_MAP.ordinal() : "kinds are side by side";
    }

    /**
     * Opens or makes the collection.
     *
     * @param in the collections of the zone
     * @return the collection
     * @throws IllegalArgumentException if the name belongs to something else, or the owner does not know the order
     */
    RawCollection open(RawCollections in) {
        return switch (kind) {
            case LIST -> in.list(name, keys);
            case QUEUE -> in.queue(name, keys);
            case SORTED_MAP -> in.sortedMap(name, keys, values, order);
            default -> throw new IllegalArgumentException("a collection of kind " + kind);
        };
    }
}
