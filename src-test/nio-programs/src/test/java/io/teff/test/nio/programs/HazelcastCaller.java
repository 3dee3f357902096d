package io.teff.test.nio.programs;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Arrays;

/** A client of Hazelcast, which is no member. */
final class HazelcastCaller {
    private static final int KEYS = 300;

    private HazelcastCaller() {}

    public static void main(String[] arguments) {
        final ClientConfig config = new ClientConfig().setClusterName(arguments[0])
            .setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().addAddress("127.0.0.1:" + arguments[1]);
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(60_000);
        final HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        final IMap<Integer, byte[]> map = client.getMap("of the client");
        for (int key = 0; key < KEYS; key++) {
            map.set(key, HazelcastMember.value(key, 1));
        }
        for (int key = 0; key < KEYS; key++) {
            if (!Arrays.equals(HazelcastMember.value(key, 1), map.get(key))) {
                throw new IllegalStateException("key " + key);
            }
        }
        client.shutdown();
        Told.counts();
        Told.line(Told.DONE, KEYS);
    }
}
