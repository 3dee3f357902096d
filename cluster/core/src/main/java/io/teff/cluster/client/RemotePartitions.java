package io.teff.cluster.client;

import io.teff.cluster.collect.MapName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The partitions of a collection, with their roots as far as a client knows them. Thread-safe.
 *
 * <p>A partition is made at its first use. The row is read again behind each opening: if the collection was dropped
 * meanwhile, the new partitions are dropped, too, because no other client would find them.
 */
final class RemotePartitions {
    private final MapCalls calls;
    private final RemoteDirectory directory;
    private final String name;
    private final CollectionRow row;
    /** The roots of the partitions; 0 if a partition was not used yet. */
    private final AtomicLongArray roots;

    RemotePartitions(MapCalls calls, RemoteDirectory directory, String name, CollectionRow row) {
        this.calls = calls;
        this.directory = directory;
        this.name = name;
        this.row = row;
        roots = new AtomicLongArray(row.zones().length);
    }

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
