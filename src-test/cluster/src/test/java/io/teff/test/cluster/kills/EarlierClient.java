package io.teff.test.cluster.kills;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A client in a process of its own, which runs with the program of an earlier build. It changes chunks, entries of a
 * map and a counter, compares what it reads, and ends with the first call that fails. Its input ends the work.
 */
final class EarlierClient {
    /** Name of the map. */
    static final String MAP = "earlier-map";
    /** Name of the counter. */
    static final String COUNTER = "earlier-counter";
    /** What the process prints before its first operation. */
    static final String READY = "ready";
    /** What the process prints in front of the number of rounds. */
    static final String ROUNDS = "rounds ";
    private static final int CHUNKS = 32;

    private EarlierClient() {}

    /** Works with the cluster at the addresses of superpeers. */
    public static void main(String[] superpeers) throws IOException {
        CompletableFuture<Integer> end = CompletableFuture.supplyAsync(EarlierClient::read);
        try (ClusterStore store = ClusterStore.connect(superpeers)) {
            var map = store.map(MAP, Codecs.STRING, Codecs.LONG);
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(bytes(-1));
            }
            System.out.println(READY);
            long rounds = 0;
            long longestNs = 0;
            long[] last = new long[CHUNKS];
            for (; !end.isDone(); rounds++) {
                int index = (int) (rounds % CHUNKS);
                long begunNs = System.nanoTime();
                check(0, store.put(cids[index], bytes(rounds)), "put");
                last[index] = rounds;
                byte[] read = new byte[Long.BYTES];
                check(Long.BYTES, store.get(cids[index], read), "get");
                check(rounds, number(read), "the chunk that was put");
                map.put("key-" + index, rounds);
                check(rounds, map.get("key-" + index), "the entry that was put");
                check(rounds, store.services().counter(COUNTER).getAndAdd(1), "the counter");
                longestNs = Math.max(longestNs, System.nanoTime() - begunNs);
            }
            for (int i = 0; i < Math.min(CHUNKS, rounds); i++) {
                byte[] read = new byte[Long.BYTES];
                store.get(cids[i], read);
                check(last[i], number(read), "chunk " + i + " at the end");
            }
            System.out.println(ROUNDS + rounds + ", the longest took " + longestNs / 1_000_000 + " ms");
        }
    }

    private static int read() {
        try {
            return System.in.read();
        } catch (IOException _) {
            return -1;
        }
    }

    private static void check(long expected, long found, String what) {
        if (expected != found) {
            throw new AssertionError(what + ": expected " + expected + ", found " + found);
        }
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
