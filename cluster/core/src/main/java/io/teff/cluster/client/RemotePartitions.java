package io.teff.cluster.client;

import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.MapMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a collection, with their roots as far as a client knows them. Thread-safe.
 *
 * <p>A partition is made at its first use. The row is read again behind each opening: if the collection was dropped
 * meanwhile, the new partitions are dropped, too, because no other client would find them.
 *
 * <p>All operations on entries pass through this class, which tells the {@link NearCopies} of the collection: also the
 * operations of objects without a near cache.
 */
final class RemotePartitions {
    private final MapCalls calls;
    private final RemoteDirectory directory;
    private final String name;
    private final CollectionRow row;
    /** The roots of the partitions; 0 if a partition was not used yet. */
    private final AtomicLongArray roots;
    private final NearCopies copies;
    /** How old a read may be; 0 if each read goes to the owner. */
    private final long boundNs;

    RemotePartitions(MapCalls calls, RemoteDirectory directory, String name, CollectionRow row,
                     @Nullable NearCacheConfig near) {
        this.calls = calls;
        this.directory = directory;
        this.name = name;
        this.row = row;
        roots = new AtomicLongArray(row.zones().length);
        copies = calls.client().nearCaches().of(name, row);
        boundNs = near == null || isTakenBack() ? 0 : near.bound().toNanos();
        if (near != null && boundNs > 0) {
            copies.keep(near);
        }
    }

    /** Has the holder of a lock come to all partitions, if the calls have a token. */
    RemotePartitions raise() {
        if (calls.token() != 0) {
            calls.batches().raise(roots(0, count()));
        }
        return this;
    }

    /** Returns whether a failure may take back what a read shows: such values are not kept. */
    private boolean isTakenBack() {
        return calls.level() == WriteLevel.OWNER;
    }

    // ---- operations on entries ----

    /** Returns the value of a key at its owner, or null. */
    byte @Nullable [] get(byte[] key) {
        try {
            final NearCopies.Read read = isTakenBack() ? null : copies.begin(key);
            final byte[] value = calls.get(rootOf(key), key);
            copies.ended(key, read, value);
            return value;
        } catch (IllegalStateException e) {
            copies.clear();
            throw e;
        }
    }

    /** Returns the value of a key, perhaps from a copy, or null. */
    byte @Nullable [] getNear(byte[] key) {
        if (boundNs == 0) {
            return get(key);
        }
        final NearCopies.Copy copy = copies.find(key, boundNs);
        if (copy == null) {
            return get(key);
        }
        calls.client().checkOpen();
        return copy.value();
    }

    /** Reads the values of many keys, perhaps from copies. */
    void getNear(byte[][] keys, MapBatches.Found found) {
        final byte[][] values = new byte[keys.length][];
        final List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            final NearCopies.Copy copy = boundNs == 0 ? null : copies.find(keys[i], boundNs);
            if (copy == null) {
                missing.add(i);
            } else {
                values[i] = copy.value();
            }
        }
        if (!missing.isEmpty()) {
            getMissing(keys, values, missing);
        }
        for (int i = 0; i < keys.length; i++) {
            if (values[i] != null) {
                found.take(i, values[i]);
            }
        }
    }

    private void getMissing(byte[][] keys, byte[][] values, List<Integer> missing) {
        final List<byte[]> wanted = missing.stream().map(i -> keys[i]).toList();
        try {
            final List<NearCopies.@Nullable Read> reads = new ArrayList<>();
            wanted.forEach(key -> reads.add(isTakenBack() ? null : copies.begin(key)));
            calls.batches().get(rootsOf(wanted), wanted.toArray(byte[][]::new),
                (i, value) -> values[missing.get(i)] = value);
            for (int i = 0; i < wanted.size(); i++) {
                copies.ended(wanted.get(i), reads.get(i), values[missing.get(i)]);
            }
        } catch (IllegalStateException e) {
            copies.clear();
            throw e;
        }
    }

    /** Changes an entry. The copy ends whatever the outcome is: a change without an answer may have been made. */
    MapCalls.Outcome change(MapMode mode, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        try {
            return calls.change(rootOf(key), mode, key, expected, value);
        } catch (IllegalStateException e) {
            copies.clear();
            throw e;
        } finally {
            copies.changed(key);
        }
    }

    /** Changes entries, each once; see {@link MapBatches#change}. */
    void change(MapMode mode, List<byte[]> keys, byte[][] entries, long[] results) {
        try {
            calls.batches().change(mode, rootsOf(keys), entries, results);
        } catch (IllegalStateException e) {
            copies.clear();
            throw e;
        } finally {
            keys.forEach(copies::changed);
        }
    }

    /** Notes that a walk has read entries: which keys exist, and their values, is newer than the copies. */
    void walked() {
        copies.clear();
    }

    // ---- partitions ----

    MapCalls calls() {
        return calls;
    }

    int count() {
        return roots.length();
    }

    /** Returns the token of the collection. */
    long token() {
        return row.token();
    }

    /** Returns the partition of a key. */
    int partitionOf(byte[] key) {
        return PartitionHash.of(row.seed(), key, roots.length());
    }

    /** Returns the root of the partition of a key. */
    long rootOf(byte[] key) {
        return root(partitionOf(key));
    }

    /** Returns the root of a partition, which exists afterwards. */
    long root(int partition) {
        final long known = roots.get(partition);
        if (known != 0) {
            return known;
        }
        final long root = calls.open(row.zones()[partition], row.partition(name, partition));
        directory.requireRow(name, row);
        roots.set(partition, root);
        return root;
    }

    /** Returns the roots of the partitions of several keys, which exist afterwards. */
    long[] rootsOf(List<byte[]> keys) {
        final int[] partitions = new int[keys.size()];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = PartitionHash.of(row.seed(), keys.get(i), roots.length());
        }
        return roots(partitions);
    }

    /** Returns the roots of consecutive partitions, which exist afterwards. */
    long[] roots(int from, int until) {
        final int[] partitions = new int[until - from];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = from + i;
        }
        return roots(partitions);
    }

    /** Returns the roots of partitions, which exist afterwards. */
    long[] roots(int[] partitions) {
        openMissing(partitions);
        final long[] all = new long[partitions.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = roots.get(partitions[i]);
        }
        return all;
    }

    /** Opens the partitions that are not open yet, at all of their owners at once. */
    private void openMissing(int[] partitions) {
        final boolean[] isMissing = new boolean[roots.length()];
        final List<MapName> names = new ArrayList<>();
        final List<Integer> missing = new ArrayList<>();
        for (int partition : partitions) {
            if (roots.get(partition) == 0 && !isMissing[partition]) {
                isMissing[partition] = true;
                missing.add(partition);
                names.add(row.partition(name, partition));
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        final long[] opened = calls.batches().open(missing.stream().mapToInt(it -> row.zones()[it]).toArray(), names);
        directory.requireRow(name, row);
        for (int i = 0; i < opened.length; i++) {
            roots.set(missing.get(i), opened[i]);
        }
    }
}
