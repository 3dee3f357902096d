package io.teff.cluster.client;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.MapMode;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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

    private static void checkName(String name) {
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
            throw new IllegalArgumentException("name of " + name.length() + " chars is not of 1 to " + NAME_CHARS_MAX);
        }
    }

    /** Returns the bytes of a row. */
    static byte[] bytes(CollectionRow row) {
        final Output out = Output.growing(256);
        out.putValue(CollectionRow.CODEC, row);
        return out.toByteArray();
    }

    private static CollectionRow row(byte[] bytes) {
        return CollectionRow.CODEC.read(new Input(bytes, 0, bytes.length));
    }

    /** Returns the row of a collection; makes the row if there is none. Ends the drop of an earlier collection. */
    CollectionRow open(String name, NamedRoot.Kind kind, Codec<?> keys, Codec<?> values) {
        return open(name, kind, keys, values, "");
    }

    /** Returns the row of a sorted map with an order; see {@link #open(String, NamedRoot.Kind, Codec, Codec)}. */
    CollectionRow open(String name, NamedRoot.Kind kind, Codec<?> keys, Codec<?> values, String order) {
        checkName(name);
        final int[] zones = openZones();
        final byte[] key = key(name);
        while (true) {
            final byte[] found = calls.get(root(), key);
            if (found == null) {
                final CollectionRow fresh = new CollectionRow(kind, keys.describe(), values.describe(), order,
                    keys.fixedBytes(), chance.nextLong(), chance.nextLong(), spread(zones, kind));
                if (isPut(key, fresh)) {
                    return fresh;
                }
                continue;                                       // another client has put a row meanwhile
            }
            final CollectionRow row = row(found);
            if (!row.isDropped()) {
                final CollectionRow fitting = row.fitting(name, kind, keys, values, order);
                final CollectionRow used = fitting.laterForms().size() == row.laterForms().size() ? fitting
                    : withForm(key, found, row, fitting);
                if (used != null) {
                    return used;
                }
                continue;                                       // another client has changed the row meanwhile
            }
            endDrop(name, row);
        }
    }

    /**
     * Adds a form to a row; returns null if another client has changed the row meanwhile. A program without the right
     * to write needs no form of its own: the program reads the values of all forms.
     */
    private @Nullable CollectionRow withForm(byte[] key, byte[] found, CollectionRow row, CollectionRow next) {
        try {
            return isReplaced(key, found, bytes(next)) ? next : null;
        } catch (MissingRightException _) {
            return row;
        }
    }

    private boolean isPut(byte[] key, CollectionRow row) {
        final MapCalls.Outcome outcome = calls.change(root(), MapMode.PUT_IF_ABSENT, key, null, bytes(row));
        return outcome.value() == null && !outcome.isTooLong();
    }

    /** Returns the codec of the values or elements of an open collection, in all of their forms. */
    <V> FormCodec<V> forms(String name, CollectionRow row, Codec<V> codec) {
        return new FormCodec<>(codec, name, row, () -> {
            final CollectionRow now = find(name);
            if (now == null || now.token() != row.token()) {
                throw MapCalls.dropped();
            }
            return now;
        });
    }

    /**
     * Throws if a collection was dropped while a client has opened partitions of it; drops these partitions again.
     */
    void requireRow(String name, CollectionRow row) {
        final byte[] found = calls.get(root(), key(name));
        if (found == null || row(found).token() != row.token() || row(found).isDropped()) {
            dropPartitions(name, row);
            throw MapCalls.dropped();
        }
    }

    /** Returns the newest row of a collection; throws if the collection was dropped. */
    CollectionRow current(String name, CollectionRow row) {
        requireRow(name, row);
        final CollectionRow found = find(name);
        if (found == null || found.token() != row.token()) {
            throw MapCalls.dropped();
        }
        return found;
    }

    /** Puts a row in place of a row; returns false if the collection has another row now. */
    boolean isChanged(String name, CollectionRow row, CollectionRow next) {
        return isReplaced(key(name), bytes(row), bytes(next));
    }

    // ---- names ----

    /** Returns the row of a name that is not being dropped, or null. */
    @Nullable CollectionRow find(String name) {
        final byte[] found = calls.get(root(), key(name));
        return found == null || row(found).isDropped() ? null : row(found);
    }

    /** Returns all rows but those of collections that are being dropped. */
    Map<String, CollectionRow> all() {
        final Map<String, CollectionRow> all = new TreeMap<>();
        final RemotePages pages = new RemotePages(calls.batches(), new long[] {root()}, true, () -> { });
        while (pages.next()) {
            final CollectionRow row = row(pages.value());
            final byte[] key = pages.key();
            if (!row.isDropped()) {
                all.put(new Input(key, 0, key.length).getString(), row);
            }
        }
        return all;
    }

    /** Gives a name to a chunk, in place of another chunk or of nothing. */
    void bind(String name, long cid) {
        checkName(name);
        final byte[] key = key(name);
        final CollectionRow fresh = CollectionRow.ofChunk(cid);
        while (true) {
            final byte[] found = calls.get(root(), key);
            if (found == null) {
                if (isPut(key, fresh)) {
                    return;
                }
                continue;
            }
            final CollectionRow row = row(found);
            if (row.isDropped()) {
                endDrop(name, row);
            } else if (row.kind() != NamedRoot.Kind.CHUNK) {
                throw new IllegalArgumentException("the name " + name + " belongs to a collection: a " + row.kind());
            } else if (isReplaced(key, found, bytes(fresh))) {
                return;
            }
        }
    }

    private boolean isReplaced(byte[] key, byte[] found, byte @Nullable [] next) {
        return calls.change(root(), next == null ? MapMode.REMOVE_IF_SAME : MapMode.REPLACE_IF_SAME, key, found, next)
            .isDone();
    }

    /**
     * Removes a name, and the collection with the name. Three steps, of which any client does what is left: the row is
     * marked, the partitions are dropped by their names, the row is removed.
     */
    boolean drop(String name) {
        final byte[] key = key(name);
        while (true) {
            final byte[] found = calls.get(root(), key);
            if (found == null) {
                return false;
            }
            final CollectionRow row = row(found);
            if (row.isDropped()) {
                endDrop(name, row);
                return false;
            }
            if (row.kind() == NamedRoot.Kind.CHUNK) {
                if (isReplaced(key, found, null)) {
                    return true;
                }
            } else if (isReplaced(key, found, bytes(row.marked()))) {
                endDrop(name, row.marked());
                return true;
            }
        }
    }

    private void endDrop(String name, CollectionRow marked) {
        dropPartitions(name, marked);
        isReplaced(key(name), bytes(marked), null);             // or another client has removed it
    }

    private void dropPartitions(String name, CollectionRow row) {
        calls.client().nearCaches().drop(row);
        final List<MapName> names = new ArrayList<>();
        for (int i = 0; i < row.zones().length; i++) {
            names.add(row.partition(name, i));
        }
        calls.batches().drop(row.zones(), names);
    }

    /** Returns the open zones; waits for the first one. */
    int[] openZones() {
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
