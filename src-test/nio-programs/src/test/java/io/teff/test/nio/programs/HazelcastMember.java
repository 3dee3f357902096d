package io.teff.test.nio.programs;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Arrays;

/**
 * A member of a Hazelcast cluster. The first member waits; a member that joins writes and reads a map, and leaves its
 * entries to the first.
 */
final class HazelcastMember {
    static final int KEYS = 2_000;
    private static final int SIZE_MAX = 20_000;
    private static final int FIRST_PORT = 15_701;

    private HazelcastMember() {}

    static Config config(String name, String first) {
        final Config config = new Config().setClusterName(name).setProperty("hazelcast.phone.home.enabled", "false")
            .setProperty("hazelcast.logging.type", "none").setProperty("hazelcast.socket.bind.any", "false")
            .setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(FIRST_PORT).setPortCount(1_000).setPortAutoIncrement(true);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        final JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        if (!first.isEmpty()) {
            join.getTcpIpConfig().addMember("127.0.0.1:" + first);
        }
        config.getMapConfig("entries").setBackupCount(1);
        return config;
    }

    static byte[] value(int key, int round) {
        final byte[] value = new byte[1 + (key * 7919 + round * 31) % SIZE_MAX];
        Arrays.fill(value, (byte) (key + round));
        return value;
    }

    public static void main(String[] arguments) throws Exception {
        final boolean isFirst = arguments.length == 1;
        final HazelcastInstance member = Hazelcast.newHazelcastInstance(config(arguments[0],
            isFirst ? "" : arguments[1]));
        final IMap<Integer, byte[]> entries = member.getMap("entries");
        if (isFirst) {
            Told.line(Told.READY, member.getCluster().getLocalMember().getAddress().getPort());
            Told.awaitStop();
            check(entries);
            member.shutdown();
            Told.counts();
            return;
        }
        Told.line("MEMBERS", member.getCluster().getMembers().size());
        final long beginNs = System.nanoTime();
        long operations = 0;
        int round = 0;
        do {
            round++;
            for (int key = 0; key < KEYS; key++) {
                entries.set(key, value(key, round));
            }
            for (int key = 0; key < KEYS; key++) {
                if (!Arrays.equals(value(key, round), entries.get(key))) {
                    throw new IllegalStateException("key " + key + " of round " + round);
                }
            }
            operations += 2L * KEYS;
        } while (!Told.isOver(beginNs, Integer.parseInt(arguments[2])));
        member.getMap("rounds").set("last", round);
        member.shutdown();
        Told.counts();
        Told.line(Told.DONE, operations);
    }

    private static void check(IMap<Integer, byte[]> entries) {
        Told.line("ENTRIES", entries.size());
    }
}
