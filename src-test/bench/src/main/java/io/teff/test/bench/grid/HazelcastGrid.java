package io.teff.test.bench.grid;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.collection.IQueue;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.QueueConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import java.util.Map;
import java.util.Set;

/** A member of Hazelcast, and its client. */
final class HazelcastGrid extends MapClient {
    static final String MAP = "grid";
    static final String CLUSTER = "teff-bench";

    private final HazelcastInstance client;
    private final IMap<Long, byte[]> map;
    private final IQueue<byte[]> queue;

    HazelcastGrid(int port, int nodes) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(CLUSTER);
        for (int i = 0; i < nodes; i++) {
            config.getNetworkConfig().addAddress(GridServers.HOST + ":" + (port + i));
        }
        client = HazelcastClient.newHazelcastClient(config);
        map = client.getMap(MAP);
        queue = client.getQueue(MAP);
    }

    /** Starts a member in this process. */
    static AutoCloseable member(int port, int number, int nodes, int backups) {
        Config config = new Config();
        config.setClusterName(CLUSTER);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.addMapConfig(new MapConfig(MAP).setBackupCount(backups));
        config.addQueueConfig(new QueueConfig(MAP).setBackupCount(backups));
        config.getNetworkConfig().setPort(port + number).setPortAutoIncrement(false)
            .setPublicAddress(GridServers.HOST + ":" + (port + number)).getInterfaces().setEnabled(true)
            .addInterface(GridServers.HOST);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        for (int i = 0; i < nodes; i++) {
            join.getTcpIpConfig().addMember(GridServers.HOST + ":" + (port + i));
        }
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        return member::shutdown;
    }

    /** Returns whether the cluster has a number of members. */
    boolean has(int nodes) {
        return client.getCluster().getMembers().size() == nodes;
    }

    @Override
    void setAll(Map<Long, byte[]> entries) {
        map.setAll(entries);
    }

    @Override
    Map<Long, byte[]> allOf(Set<Long> keys) {
        return map.getAll(keys);
    }

    @Override
    public byte[] get(int key) {
        return map.get((long) key);
    }

    @Override
    public void put(int key, byte[] value) {
        map.set((long) key, value);
    }

    @Override
    public long add(int key) {
        return map.executeOnKey((long) key, new Raise());
    }

    @Override
    public boolean offerAndPoll(byte[] element) {
        queue.add(element);
        return queue.poll() != null;
    }

    @Override
    public long scan() {
        long count = 0;
        for (Map.Entry<Long, byte[]> entry : map) {
            count += GridValues.isOf(entry.getKey().intValue(), entry.getValue()) ? 1 : 0;
        }
        return count;
    }

    @Override
    public void close() {
        client.shutdown();
    }

    /** Adds one to the number in a value. */
    static final class Raise implements EntryProcessor<Long, byte[], Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long process(Map.Entry<Long, byte[]> entry) {
            entry.setValue(GridValues.raised(entry.getValue()));
            return GridValues.number(entry.getValue());
        }
    }
}
