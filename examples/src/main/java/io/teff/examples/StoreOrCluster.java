package io.teff.examples;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import java.nio.charset.StandardCharsets;

/**
 * The same program on a store of its process, and on a cluster: only the line that opens the store differs.
 *
 * <p>Without arguments it opens a store. With the addresses of a cluster's superpeers, for example those that
 * {@code ./teff cluster up} prints, it is a client of that cluster.
 */
public final class StoreOrCluster {
    private static final int COUNT = 1000;

    private StoreOrCluster() {}

    static void main(String[] superpeers) {
        try (ChunkStore store = superpeers.length == 0 ? Store.open() : ClusterStore.connect(superpeers)) {
            long cid = store.create("moon".getBytes(StandardCharsets.UTF_8));
            IO.println(new String(store.chunks().get(cid).orElseThrow(), StandardCharsets.UTF_8));

            long counter = store.create(Long.BYTES);
            long[] cids = new long[COUNT];
            int created = store.batch().create(Long.BYTES, cids, 0, COUNT, false);
            for (long each : cids) {
                store.fields().putLong(each, 0, store.fields().getAndAddLong(counter, 0, 1));
            }
            long[] values = new long[COUNT];
            store.batch().getLong(cids, 0, COUNT, 0, -1, values);
            IO.println(created + " chunks, the last one is number " + values[COUNT - 1]);
            IO.println("removed: " + store.batch().remove(cids, 0, COUNT, values));
        }
    }
}
