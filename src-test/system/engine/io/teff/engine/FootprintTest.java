package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Platform;
import io.teff.engine.os.SystemInfo;
import io.teff.engine.report.StoreStats;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.Content;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a tiny chunk costs little more than its bytes, and the statistics agree with the process.
 *
 * <p>Method: ten million chunks, in this JVM for the overhead, and in JVMs whose heap is touched ahead for the growth
 * of the resident set.
 */
@Tag("system")
@Tag("modes")
@Tag("processes")
@FullTier("20 s and millions of chunks. ZoneFootprintTest and HeapPlanTest compare the bytes per chunk of "
    + "smaller stores.")
final class FootprintTest {
    private static final int CHUNKS = 10_000_000;
    private static final double PERCENT_MAX = 2.0;

    @Test
    void chunksOf32Bytes_costAtMost9BytesMore() {
        assertTrue(overhead("32 B", 32, 32) <= 9.0);
    }

    @Test
    void chunksOf1To128Bytes_costAtMost10AndAHalfBytesMore() {
        assertTrue(overhead("1..128 B", 1, 128) <= 10.5);
    }

    private static double overhead(String what, int from, int to) {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(2L << 30).build())) {
            fill(store, from, to);
            StoreStats stats = store.stats();
            System.out.printf("footprint of %,d chunks of %s: %.3f bytes over payload (%s)%n", CHUNKS, what,
                stats.overheadPerChunk(), Memory.RESERVED ? "reserved" : "blocks");
            assertEquals(CHUNKS, stats.chunks());
            return stats.overheadPerChunk();
        }
    }

    private static void fill(Store store, int from, int to) {
        SplittableRandom random = Seed.random(from);
        byte[] content = Content.of(to, 1);
        for (int i = 0; i < CHUNKS; i++) {
            long cid = store.create(content, 0, random.nextInt(from, to + 1));
            assert cid > 0 : cid;
        }
    }

    /** In the memory mode of this JVM; the lane plain has the other one. */
    @Test
    void accountedBytes_areWhatTheProcessGrewBy() throws InterruptedException {
        boolean nativeAccess = FootprintTest.class.getModule().isNativeAccessEnabled();
        ChildJvm.Result result = ChildJvm.run(Grows.class, nativeAccess ? ChildJvm.NATIVE : "-Dnothing=1", "-Xms256m",
            "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        assertEquals(0, result.exitCode(), result.output());
        System.out.print(result.output());
        String[] numbers = result.output().strip().replaceAll("(?s).*accounted=", "").split(" grown=");
        double accounted = Double.parseDouble(numbers[0]);
        double grown = Double.parseDouble(numbers[1]);
        assertTrue(Math.abs(grown - accounted) / accounted * 100 <= PERCENT_MAX, result.output());
    }

    /**
     * A program that fills a store and prints the bytes that the store accounts for, and the growth of its resident
     * set.
     */
    static final class Grows {
        private Grows() {}

        public static void main(String[] arguments) {
            try (Store warm = Store.open(StoreConfig.builder().memoryLimitBytes(8L << 20).build())) {
                for (int i = 0; i < 100_000; i++) {
                    warm.remove(warm.create(32L));
                    warm.stats();
                }
            }
            System.gc();
            long before = SystemInfo.residentBytes();
            StoreConfig config = TestConfig.platform(StoreConfig.builder().memoryLimitBytes(2L << 30),
                Platform.SYSTEM.withThreads(TaskThreads.INLINE)).build();
            try (Store store = Store.open(config)) {            // no background, so that no growth is under way
                fill(store, 32, 32);
                long accounted = store.stats().committedBytes();
                System.out.println("reserved=" + Memory.RESERVED + " accounted=" + accounted + " grown="
                    + (SystemInfo.residentBytes() - before));
            }
        }
    }
}
