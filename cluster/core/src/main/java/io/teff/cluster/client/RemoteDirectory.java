package io.teff.cluster.client;

import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.MapMode;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The directory of the collections of a cluster: a map of names to {@link CollectionRow}, in the first zone of the
 * cluster. A collection exists as soon as its row exists; the owner of a partition makes the partition at its first
 * use. So two clients that create a collection at once use the row that came first, and a client that ends in the
 * middle leaves nothing behind. Thread-safe.
 */
final class RemoteDirectory {
    /** The zone with the directory: the first zone that a cluster has. */
    static final int ZONE = 1;
    static final int PARTITIONS_MIN = 8;
    static final int PARTITIONS_MAX = 256;
    static final int NAME_CHARS_MAX = 1024;

    private static final MapName NAME = new MapName("directory", Codecs.STRING.describe(), CollectionRow.DESCRIPTION,
        -1);

    private final MapCalls calls;
    private final RandomGenerator chance;
    private volatile long root;

    RemoteDirectory(MapCalls calls, RandomGenerator chance) {
        this.calls = calls.backed();
        this.chance = chance;
    }

    private long root() {
        if (root == 0) {
            root = calls.open(ZONE, NAME);
        }
        return root;
    }

    private static byte[] key(String name) {
        final Output out = Output.growing(64);
        out.putValue(Codecs.STRING, name);
        return out.toByteArray();
    }

    /** Returns the row of a collection; makes the row if there is none. */
    CollectionRow open(String name, NamedRoot.Kind kind, Codec<?> keys, Codec<?> values) {
        return open(name, kind, keys, values, "");
    }

    /** Returns the row of a sorted map with an order; see {@link #open(String, NamedRoot.Kind, Codec, Codec)}. */
    CollectionRow open(String name, NamedRoot.Kind kind, Codec<?> keys, Codec<?> values, String order) {
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
            throw new IllegalArgumentException("name of " + name.length() + " chars is not of 1 to " + NAME_CHARS_MAX);
        }
        final int[] zones = openZones();
        final byte[] key = key(name);
        byte[] found = calls.get(root(), key);
        if (found == null) {
            final CollectionRow fresh = new CollectionRow(kind, keys.describe(), values.describe(), order,
                keys.fixedBytes(), chance.nextLong(), chance.nextLong(), spread(zones, kind));
            final Output out = Output.growing(256);
            out.putValue(CollectionRow.CODEC, fresh);
            final MapCalls.Outcome outcome = calls.change(root(), MapMode.PUT_IF_ABSENT, key, null, out.toByteArray());
            if (outcome.value() == null && !outcome.isTooLong()) {
                return fresh;
            }
            found = calls.get(root(), key);
            if (found == null) {
                throw new IllegalStateException("the collection " + name + " was dropped meanwhile");
            }
        }
        final CollectionRow row = CollectionRow.CODEC.read(new Input(found, 0, found.length));
        row.requireFits(name, kind, keys, values, order);
        return row;
    }

    /** Returns the open zones; waits for the first one. */
    private int[] openZones() {
        try (Call call = calls.client().call("open a collection")) {
            int[] zones = calls.client().tables().openZones();
            while (zones.length == 0) {
                call.failed(calls.client().tables().noneOpen(), null);
                call.pause();
                zones = calls.client().tables().openZones();
            }
            return zones;
        }
    }

    /** Returns a zone for each partition: each open zone has as many as each other, or one more. */
    private int[] spread(int[] open, NamedRoot.Kind kind) {
        final boolean isWhole = kind != NamedRoot.Kind.MAP && kind != NamedRoot.Kind.SET;
        final int[] zones = new int[isWhole ? 1 : Math.clamp(open.length, PARTITIONS_MIN, PARTITIONS_MAX)];
        final int[] order = open.clone();
        for (int i = order.length - 1; i > 0; i--) {
            final int other = chance.nextInt(i + 1);
            final int zone = order[i];
            order[i] = order[other];
            order[other] = zone;
        }
        Arrays.setAll(zones, i -> order[i % order.length]);
        return zones;
    }
}
