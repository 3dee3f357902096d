package io.teff.cluster.client;

/**
 * A collection as a stream of its changes needs it. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
interface Watched<K, V> {
    ClusterClient client();

    /** Returns operations on many entries. */
    MapBatches batches();

    /** Returns the token of the collection. */
    long token();

    /** Returns how many partitions there are. */
    int partitions();

    /** Returns the partition of a key. */
    int partitionOf(byte[] key);

    /** Returns the roots of partitions, which exist afterwards. */
    long[] roots(int[] partitions);

    K key(byte[] bytes, int from, int length);

    V value(byte[] bytes, int from, int length);
}
