package io.teff.cluster.client;

/** A watched map: each partition has changes of its own. */
record WatchedMap<K, V>(RemoteMap<K, V> map) implements Watched<K, V> {
    @Override
    public ClusterClient client() {
        return map.client();
    }

    @Override
    public MapBatches batches() {
        return map.partitions().calls().batches();
    }

    @Override
    public long token() {
        return map.partitions().token();
    }

    @Override
    public int partitions() {
        return map.partitions().count();
    }

    @Override
    public int partitionOf(byte[] key) {
        return map.partitions().partitionOf(key);
    }

    @Override
    public long[] roots(int[] partitions) {
        return map.partitions().roots(partitions);
    }

    @Override
    public K key(byte[] bytes, int from, int length) {
        return map.key(bytes, from, length);
    }

    @Override
    public V value(byte[] bytes, int from, int length) {
        return map.value(bytes, from, length);
    }
}
