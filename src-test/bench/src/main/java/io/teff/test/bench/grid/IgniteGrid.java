package io.teff.test.bench.grid;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteQueue;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.CollectionConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** A node of Ignite, and its two kinds of clients. */
final class IgniteGrid {
    static final String CACHE = "grid";
    /** Distances of the ports of a node. */
    private static final int COMMUNICATION = 100;
    private static final int CONNECTOR = 200;
    private static final int RANGE = 50;

    private IgniteGrid() {}

    private static IgniteConfiguration configuration(String name, int port, int nodes, Path folder) {
        TcpDiscoveryVmIpFinder finder = new TcpDiscoveryVmIpFinder();
        finder.setAddresses(List.of(GridServers.HOST + ":" + port + ".." + (port + nodes - 1)));
        TcpDiscoverySpi discovery = new TcpDiscoverySpi();
        discovery.setIpFinder(finder);
        discovery.setLocalPort(port);
        discovery.setLocalPortRange(RANGE);
        TcpCommunicationSpi communication = new TcpCommunicationSpi();
        communication.setLocalPort(port + COMMUNICATION);
        communication.setLocalPortRange(RANGE);
        return new IgniteConfiguration().setIgniteInstanceName(name).setConsistentId(name)
            .setLocalHost(GridServers.HOST).setWorkDirectory(folder.toAbsolutePath().toString())
            .setDiscoverySpi(discovery).setCommunicationSpi(communication).setMetricsLogFrequency(0);
    }

    /** Starts a node in this process. */
    static AutoCloseable member(int port, int number, int nodes, int backups, long memory, Path folder) {
        IgniteConfiguration configuration = configuration("node-" + number, port, nodes, folder);
        configuration.setClientConnectorConfiguration(new ClientConnectorConfiguration().setHost(GridServers.HOST)
            .setPort(port + CONNECTOR).setPortRange(RANGE));
        configuration.setDataStorageConfiguration(new DataStorageConfiguration().setDefaultDataRegionConfiguration(
            new DataRegionConfiguration().setInitialSize(memory / 4).setMaxSize(memory)));
        CacheConfiguration<Long, byte[]> cache = new CacheConfiguration<Long, byte[]>(CACHE)
            .setAtomicityMode(CacheAtomicityMode.ATOMIC).setBackups(backups)
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
        configuration.setCacheConfiguration(cache);
        return Ignition.start(configuration);
    }

    /** Connects a client node. */
    static GridClient thick(int port, int nodes, int backups, Path folder) {
        Ignite client = Ignition.start(configuration("client", port, nodes, folder).setClientMode(true));
        return new Thick(client, client.cache(CACHE), client.queue(CACHE, 0, new CollectionConfiguration()
            .setBackups(backups)));
    }

    /** Connects a thin client. */
    static GridClient thin(int port, int nodes) {
        IgniteClient client = client(port, nodes);
        return new Thin(client, client.cache(CACHE));
    }

    /** Connects a thin client of all nodes. */
    static IgniteClient client(int port, int nodes) {
        String[] addresses = new String[nodes];
        for (int i = 0; i < nodes; i++) {
            addresses[i] = GridServers.HOST + ":" + (port + CONNECTOR + i);
        }
        return Ignition.startClient(new ClientConfiguration().setAddresses(addresses));
    }

    private static long count(QueryCursor<Cache.Entry<Long, byte[]>> entries) {
        long count = 0;
        try (entries) {
            for (Cache.Entry<Long, byte[]> entry : entries) {
                count += GridValues.isOf(entry.getKey().intValue(), entry.getValue()) ? 1 : 0;
            }
        }
        return count;
    }

    /** A client node. */
    private static final class Thick extends MapClient {
        private final Ignite client;
        private final IgniteCache<Long, byte[]> cache;
        private final IgniteQueue<byte[]> queue;

        Thick(Ignite client, IgniteCache<Long, byte[]> cache, IgniteQueue<byte[]> queue) {
            this.client = client;
            this.cache = cache;
            this.queue = queue;
        }

        @Override
        public boolean offerAndPoll(byte[] element) {
            queue.add(element);
            return queue.poll() != null;
        }

        @Override
        public long scan() {
            return count(cache.query(new ScanQuery<>()));
        }

        @Override
        void setAll(Map<Long, byte[]> entries) {
            cache.putAll(entries);
        }

        @Override
        Map<Long, byte[]> allOf(Set<Long> keys) {
            return cache.getAll(keys);
        }

        @Override
        public byte[] get(int key) {
            return cache.get((long) key);
        }

        @Override
        public void put(int key, byte[] value) {
            cache.put((long) key, value);
        }

        @Override
        public long add(int key) {
            return cache.invoke((long) key, new Raise());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** A thin client. */
    private static final class Thin extends MapClient {
        private final IgniteClient client;
        private final ClientCache<Long, byte[]> cache;

        Thin(IgniteClient client, ClientCache<Long, byte[]> cache) {
            this.client = client;
            this.cache = cache;
        }

        @Override
        public long scan() {
            return count(cache.query(new ScanQuery<>()));
        }

        @Override
        void setAll(Map<Long, byte[]> entries) {
            cache.putAll(entries);
        }

        @Override
        Map<Long, byte[]> allOf(Set<Long> keys) {
            return cache.getAll(keys);
        }

        @Override
        public byte[] get(int key) {
            return cache.get((long) key);
        }

        @Override
        public void put(int key, byte[] value) {
            cache.put((long) key, value);
        }

        @Override
        public long add(int key) {
            return cache.invoke((long) key, new Raise());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Adds one to the number in a value. */
    static final class Raise implements CacheEntryProcessor<Long, byte[], Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long process(MutableEntry<Long, byte[]> entry, Object... arguments) {
            entry.setValue(GridValues.raised(entry.getValue()));
            return GridValues.number(entry.getValue());
        }
    }
}
