package io.teff.cluster.client;

import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.MapName;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.os.FailureText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A collection as the directory of a cluster has it. Never changes while the collection exists, but for the parts of a
 * sorted map, which become more.
 *
 * @param kind kind of the collection
 * @param keys description of the codec of keys or elements
 * @param values description of the codec of values; empty if there are none
 * @param order name of the order of a sorted map; else empty
 * @param keyBytes length of each key, or -1 if the length varies
 * @param seed random number with which keys are spread over the partitions
 * @param token random number in the names of the partitions, so that no later collection has partitions of these names
 * @param zones zone of each partition
 * @param isDropped whether the collection is being dropped: then the row is marked
 * @param parts the part in each zone, of a sorted map with several parts; else empty
 */
record CollectionRow(NamedRoot.Kind kind, String keys, String values, String order, int keyBytes, long seed,
                     long token, int[] zones, boolean isDropped, List<PartRow> parts) {
    /** Description of this encoding. */
    static final String DESCRIPTION = "collections of a cluster 1";

    private static final int VERSION = 1;
    /** Version of a row with parts. */
    private static final int PARTS_VERSION = 2;
    /** Added to the kind of a row that is marked. */
    private static final int DROPPED = 0x80;
    private static final NamedRoot.Kind[] KINDS = NamedRoot.Kind.values();

    /** Its codec. */
    static final Codec<CollectionRow> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x434F_4C4C_0000_0001L;

        @Override
        public void write(CollectionRow row, Output out) {
            out.putByte((byte) (row.parts.isEmpty() ? VERSION : PARTS_VERSION));
            out.putByte((byte) (row.kind.ordinal() | (row.isDropped ? DROPPED : 0)));
            out.putString(row.keys);
            out.putString(row.values);
            out.putString(row.order);
            out.putInt(row.keyBytes);
            out.putLong(row.seed);
            out.putLong(row.token);
            out.putInt(row.zones.length);
            for (int zone : row.zones) {
                out.putInt(zone);
            }
            row.parts.forEach(part -> PartRow.write(part, out));
        }

        @Override
        public CollectionRow read(Input in) {
            final int version = in.getByte();
            final int marked = in.getByte() & 0xFF;
            final int kind = marked & ~DROPPED;
            if (version != VERSION && version != PARTS_VERSION || kind >= KINDS.length) {
                throw new MalformedException(in.offset(), "a collection of version " + version + " and kind " + kind,
                    null);
            }
            final String keys = in.getString();
            final String values = in.getString();
            final String order = in.getString();
            final int keyBytes = in.getInt();
            final long seed = in.getLong();
            final long token = in.getLong();
            final int count = in.getInt();
            if (count < 1 || count > in.left() / Integer.BYTES) {
                throw new MalformedException(in.offset(), "a collection of " + count + " partitions", null);
            }
            final int[] zones = new int[count];
            for (int i = 0; i < count; i++) {
                zones[i] = in.getInt();
            }
            final List<PartRow> parts = new ArrayList<>();
            for (int i = 0; version == PARTS_VERSION && i < count; i++) {
                parts.add(PartRow.read(in));
            }
            return new CollectionRow(KINDS[kind], keys, values, order, keyBytes, seed, token, zones,
                marked != kind, List.copyOf(parts));
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }

        @Override
        public String describe() {
            return DESCRIPTION;
        }
    };

    /** A row without a mark. */
    CollectionRow(NamedRoot.Kind kind, String keys, String values, String order, int keyBytes, long seed, long token,
                  int[] zones) {
        this(kind, keys, values, order, keyBytes, seed, token, zones, false, List.of());
    }

    /** Returns the row of a single chunk with a name. */
    static CollectionRow ofChunk(long cid) {
        return new CollectionRow(NamedRoot.Kind.CHUNK, "", "", "", -1, 0, cid, new int[] {Cid.nid(cid)});
    }

    /** Returns this row with the mark that the collection is being dropped. */
    CollectionRow marked() {
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, zones, true, parts);
    }

    // ---- parts ----

    /** Returns the index of the target of an unfinished split of a part, or -1. */
    int targetOf(long parent) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).parent() == parent) {
                return i;
            }
        }
        return -1;
    }

    /** Returns this row with one part more, the target of a split. */
    CollectionRow withTarget(int zone, long parent) {
        final int[] all = Arrays.copyOf(zones, zones.length + 1);
        all[zones.length] = zone;
        final List<PartRow> next = new ArrayList<>(parts.isEmpty() ? List.of(PartRow.FIRST) : parts);
        next.add(new PartRow(null, parent));
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, all, isDropped, next);
    }

    /** Returns this row with the bound of a target, whose split has ended. */
    CollectionRow withBound(int index, byte[] low) {
        final List<PartRow> next = new ArrayList<>(parts);
        next.set(index, new PartRow(low, 0));
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, zones, isDropped, next);
    }

    /** Returns what a program sees of the row. */
    NamedRoot shown() {
        return new NamedRoot(kind, kind == NamedRoot.Kind.CHUNK ? token : Cid.NONE, keys, values, order);
    }

    /** Returns the name of a partition in the zone of the partition. */
    MapName partition(String name, int index) {
        return new MapName(name + ' ' + Long.toHexString(token) + '/' + index, keys, values, keyBytes);
    }

    private static String describe(String named) {
        return named.isEmpty() ? "the order of the keys' bytes" : "the order '" + named + "'";
    }

    /** Returns the name of a queue, list or sorted map in its zone. */
    CollectionName collection(String name) {
        return collection(name, 0);
    }

    /** Returns the name of a part of a sorted map in its zone. */
    CollectionName collection(String name, int index) {
        return new CollectionName(kind, partition(name, index).name(), keys, values, order);
    }

    /** Throws if a collection with codecs of other bytes, of another kind or in another order has the name. */
    void requireFits(String name, NamedRoot.Kind wanted, Codec<?> wantedKeys, Codec<?> wantedValues,
                     String wantedOrder) {
        if (kind == wanted && !order.equals(wantedOrder)) {
            throw new IllegalArgumentException("the sorted map " + name + " has " + describe(order)
                + ", so it cannot be opened with " + describe(wantedOrder));
        }
        if (kind != wanted || !wantedKeys.hasBytesOf(keys) || !wantedValues.hasBytesOf(values)
            || keyBytes != wantedKeys.fixedBytes()) {
            throw new IllegalArgumentException("the name " + name + " belongs to a " + kind + " of "
                + FailureText.excerpt(keys, wantedKeys.describe()) + " to "
                + FailureText.excerpt(values, wantedValues.describe()) + ", not to a " + wanted + " of "
                + FailureText.excerpt(wantedKeys.describe(), keys) + " to "
                + FailureText.excerpt(wantedValues.describe(), values));
        }
    }
}
