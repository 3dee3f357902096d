package io.teff.cluster.client;

import io.teff.engine.codec.Codec;
import java.util.Arrays;

/** A watched queue or sorted map, which has one partition. */
record WatchedCollection<K, V>(CollectionCalls calls, Codec<K> keys, FormCodec<V> values) implements Watched<K, V> {
    @Override
    public ClusterClient client() {
        return calls.client();
    }

    @Override
    public MapBatches batches() {
        return calls.batches();
    }

    @Override
    public long token() {
        return values.token();
    }

    @Override
    public int partitions() {
        return 1;
    }

    @Override
    public int partitionOf(byte[] key) {
        return 0;
    }

    @Override
    public long[] roots(int[] partitions) {
        final long[] roots = new long[partitions.length];
        Arrays.fill(roots, calls.root());
        return roots;
    }

    @Override
    public K key(byte[] bytes, int from, int length) {
        return CollectionCalls.object(keys, Arrays.copyOfRange(bytes, from, from + length));
    }

    @Override
    public V value(byte[] bytes, int from, int length) {
        return CollectionCalls.object(values, Arrays.copyOfRange(bytes, from, from + length));
    }
}
