package io.teff.test.bench.grid;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import io.teff.bridge.ycsb.MapDb;
import io.teff.bridge.ycsb.Records;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The binding of YCSB to a map of Hazelcast. Fields of a record are replaced at the member that owns the record. */
final class HazelcastDb extends MapDb {
    private final HazelcastInstance client;
    private final IMap<String, byte[]> map;

    HazelcastDb(HazelcastInstance client) {
        this.client = client;
        map = client.getMap(HazelcastGrid.MAP);
    }

    /** Connects a client, which all threads use. */
    static HazelcastInstance connect(int port, int nodes) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(HazelcastGrid.CLUSTER);
        for (int i = 0; i < nodes; i++) {
            config.getNetworkConfig().addAddress(GridServers.HOST + ":" + (port + i));
        }
        return HazelcastClient.newHazelcastClient(config);
    }

    @Override
    protected byte @Nullable [] get(String key) {
        return map.get(key);
    }

    @Override
    protected void put(String key, byte[] record) {
        map.set(key, record);
    }

    @Override
    protected boolean change(String key, Map<String, byte[]> fields) {
        return map.executeOnKey(key, new Change(new TreeMap<>(fields)));
    }

    @Override
    protected void remove(String key) {
        map.delete(key);
    }

    @Override
    protected @Nullable Iterable<byte[]> from(String first, int count) {
        return null;
    }

    @Override
    public String toString() {
        return client.getName();
    }

    /** Replaces fields of a record. */
    static final class Change implements EntryProcessor<String, byte[], Boolean>, Serializable {
        private static final long serialVersionUID = 1;

        private final TreeMap<String, byte[]> fields;

        Change(TreeMap<String, byte[]> fields) {
            this.fields = fields;
        }

        @Override
        public Boolean process(Map.Entry<String, byte[]> entry) {
            boolean isThere = entry.getValue() != null;
            if (isThere) {
                entry.setValue(Records.with(entry.getValue(), fields));
            }
            return isThere;
        }
    }
}
