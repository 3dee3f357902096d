package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.test.kit.Content;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the hot operations allocate nothing on the Java heap.
 *
 * <p>Method: the JVM's count of bytes allocated by the thread, around a million calls after warm-up; the cost of the
 * count itself is subtracted. The JIT may still be compiling in the first rounds, so only the last round counts.
 */
@Tag("modes")
@Tag("heavy")
final class AllocationFreeTest {
    private static final int CALLS = 1_000_000;
    /** Enough for a JIT compiler on a busy processor. */
    private static final int ROUNDS_MAX = 200;
    private static final int CHUNKS = 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static long allocated(LongUnaryOperator operation, int calls) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += operation.applyAsLong(i);
        }
        long after = THREADS.getCurrentThreadAllocatedBytes();
        return sum == Long.MIN_VALUE ? -1 : after - before;
    }

    @Test
    void hotOperations_allocateNothing() {
        try (Store store = Stores.open(256); Arena arena = Arena.ofConfined()) {
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(Content.of(32, i));
            }
            Map<String, LongUnaryOperator> operations = new LinkedHashMap<>();
            single(store, cids, arena.allocate(64), operations);
            batch(store, cids, operations);
            Map<String, Long> allocating = new LinkedHashMap<>();
            long cost = allocated(i -> i, 1);
            operations.forEach((name, operation) -> {
                long bytes = -1;
                for (int round = 0; round < ROUNDS_MAX && bytes != 0; round++) {
                    bytes = allocated(operation, CALLS / (name.startsWith("batch") ? 32 : 1)) - cost;
                }
                if (bytes != 0) {
                    allocating.put(name, bytes);
                }
            });
            assertEquals(Map.of(), allocating, "bytes by operation; reproduce: -Dtest=AllocationFreeTest -Dseed=0");
            store.audit();
        }
    }

    private static void single(Store store, long[] cids, MemorySegment segment,
                               Map<String, LongUnaryOperator> operations) {
        byte[] buffer = new byte[64];
        byte[] large = new byte[3000];
        long big = store.create(large);
        operations.put("get", i -> store.get(cid(cids, i), buffer));
        operations.put("get segment", i -> store.get(cid(cids, i), segment, 0));
        operations.put("get 3000", i -> store.get(big, large));
        operations.put("get empty", i -> store.get(Cid.of(0, 1L << 30), buffer));
        operations.put("getBytes", i -> store.getBytes(cid(cids, i), 3, buffer, 0, 9));
        operations.put("size", i -> store.size(cid(cids, i)));
        operations.put("put", i -> store.put(cid(cids, i), buffer, 0, 32));
        operations.put("put segment", i -> store.put(cid(cids, i), segment, 0, 32));
        operations.put("put other length", i -> store.put(cid(cids, i), buffer, 0, 20 + (int) (i & 31)));
        operations.put("put 3000", i -> store.put(big, large));
        operations.put("putBytes", i -> store.putBytes(cid(cids, i), 3, buffer, 0, 9));
        operations.put("resize", i -> store.resize(cid(cids, i), 20 + (i * 7 & 31)));
        operations.put("create and remove", i -> store.remove(store.create(buffer, 0, 32)));
        operations.put("create segment and remove", i -> store.remove(store.create(segment, 0, 48)));
        operations.put("create zeros and remove", i -> store.remove(store.create(i & 63)));
        operations.put("fields get", i -> store.fields().getLong(cid(cids, i), 8, 0));
        operations.put("fields put", i -> store.fields().putInt(cid(cids, i), 8, 3));
        operations.put("fields cas", i -> store.fields().compareAndSetLong(cid(cids, i), 8, 0, 1));
        operations.put("fields add", i -> store.fields().getAndAddLong(cid(cids, i), 8, 1));
        operations.put("lock", i -> store.locks().lockWrite(cid(cids, i), 0) + store.locks().unlock(cid(cids, i)));
        operations.put("read lock", i -> store.locks().lockRead(cid(cids, i), 0) + store.locks().unlock(cid(cids, i)));
        operations.put("get under a lock", i -> store.locks().get(cid(cids, i), buffer, 0, LockStep.LOCK_READ,
            LockStep.UNLOCK, 0));
        operations.put("reserve and give up", i -> store.ids().unreserve(store.ids().reserve()));
    }

    private static void batch(Store store, long[] cids, Map<String, LongUnaryOperator> operations) {
        byte[] buffer = new byte[32 * 64];
        int[] lengths = new int[32];
        long[] made = new long[32];
        long[] results = new long[32];
        MemorySegment target = MemorySegment.ofArray(buffer);
        operations.put("batch get", i -> store.batch().get(cids, 0, 32, buffer, 0, lengths));
        operations.put("batch get segment", i -> store.batch().get(cids, 0, 32, target, 0, lengths));
        ChunkLongMap<byte[]> map = store.longMap("map", Codecs.BYTES);
        long[] keys = LongStream.range(0, 100).toArray();
        for (long key : keys) {
            map.setBytes(key, buffer, 0, 32);
        }
        operations.put("batch map get", i -> map.getAllBytes(keys, (int) (i & 63), 32, buffer, 0, lengths));
        operations.put("map set", i -> map.setBytes(keys[(int) (i & 63)], buffer, 0, 32) ? 1 : 0);
        operations.put("batch size", i -> store.batch().size(cids, 0, 32, results));
        operations.put("batch create in a row and remove", i -> {
            int count = store.batch().create(16, made, 0, 32, true);
            return (long) count + store.batch().remove(made, 0, 32, results);
        });
        operations.put("batch create and remove", i -> {
            int count = store.batch().create(16, made, 0, 32, false);
            assert count == 32 : Status.name(made[31]);
            return store.batch().remove(made, 0, 32, results);
        });
    }

    private static long cid(long[] cids, long i) {
        return cids[(int) (i * 31 & CHUNKS - 1)];
    }
}
