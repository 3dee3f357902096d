package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Report;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The longest call of a client while a backup of many chunks is taken; prints figures. */
@FullTier("creates a million chunks or more, 60 s; ClusterBackupTest has the content of backups")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupLoadTest {
    private static final int CHUNK_BYTES = 64;
    private static final int BATCH = 4_096;
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @TempDir
    private Path folder;

    @Test
    void calls_whileABackupIsTaken_areShort() throws Exception {
        int chunks = Form.size("teff.backup.chunks", 400_000, 4_000_000);
        try (PeerCluster cluster = new PeerCluster("load-" + System.nanoTime(), folder, 1)) {
            for (int i = 0; i < 3; i++) {
                cluster.start(i, Peer.start(cluster.config(i).withBytes(1L << 30, 32 << 20, 16 << 20)
                    .withZones(4, 1, 256_000_000L)));
            }
            cluster.awaitServed(12);
            try (ClusterStore store = cluster.connect()) {
                long[] cids = create(store, chunks);
                long restNs = longest(store, cids, () -> {
                    long[] read = new long[1];
                    store.ids().forEach(_ -> read[0]++);
                    assertEquals(chunks, read[0]);
                });
                Report[] report = new Report[1];
                long begunNs = System.nanoTime();
                long longestNs = longest(store, cids, () -> report[0] = ClusterBackups.load().take(cluster.client(),
                    folder.resolve("backup"), null, _ -> { }));
                double seconds = (System.nanoTime() - begunNs) / 1e9;
                System.out.printf("backup: %,d chunks in %.1f s, %,d bytes; longest call %.1f ms, %.1f ms while the "
                    + "CIDs were read%n", report[0].chunks(), seconds, report[0].fileBytes(), longestNs / 1e6,
                    restNs / 1e6);
                assertEquals(chunks, report[0].chunks());
                assertTrue(longestNs <= LONGEST_NS || !Form.isLong(), () -> longestNs + " ns");
            }
        }
    }

    private static long[] create(ClusterStore store, int chunks) {
        long[] cids = new long[chunks];
        for (int from = 0; from < chunks; from += BATCH) {
            int count = Math.min(BATCH, chunks - from);
            assertEquals(count, store.batch().create(CHUNK_BYTES, cids, from, count, false));
        }
        return cids;
    }

    /** Work during which calls are measured. */
    private interface Work {
        void run() throws IOException;
    }

    /** Returns the longest put while some work is done. */
    private static long longest(ClusterStore store, long[] cids, Work work) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        Thread caller = Thread.ofPlatform().start(() -> {
            SplittableRandom random = new SplittableRandom(1);
            byte[] content = new byte[CHUNK_BYTES];
            while (!isOver.get()) {
                long begunNs = System.nanoTime();
                assertEquals(0, store.put(cids[random.nextInt(cids.length)], content));
                longest.accumulateAndGet(System.nanoTime() - begunNs, Math::max);
            }
        });
        try {
            work.run();
        } finally {
            isOver.set(true);
            caller.join();
        }
        return longest.get();
    }
}
