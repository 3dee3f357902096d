package io.teff.rdma.ucx.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.memory.UcxAtomic;
import io.teff.rdma.ucx.memory.UcxMemory;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.worker.UcxPair;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: no operation allocates on the Java heap. Method: the JVM's count of bytes allocated by the thread, around
 * thousands of operations after warm-up; the compiler may still be busy in the first rounds, so the best one counts.
 */
@Tag("heavy")
final class OperationAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final int ROUNDS_MAX = 20;
    private static final int ID = 1;

    private static long allocated(Runnable operation, int calls) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            operation.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static void drive(UcxPair pair, UcxRequest first, UcxRequest second) {
        while (!first.isDone() || !second.isDone()) {
            pair.left.progress();
            pair.right.progress();
        }
        if (first.status() != UcxStatus.OK || second.status() != UcxStatus.OK) {
            throw new AssertionError(first.status() + " " + second.status());
        }
    }

    @Test
    void operations_allocateNothing() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX); UcxMemory memory = pair.context.allocate(4096)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            MemorySegment source = pair.filled(4096, 1);
            MemorySegment target = pair.empty(4096);
            UcxRequest left = pair.leftRequest;
            UcxRequest right = pair.rightRequest;
            UcxTagMessage found = pair.right.tagMessage();
            long[] sum = new long[1];
            pair.right.onMessage(ID, message -> {
                sum[0] += message.headerLong(0);
                message.receive(target, 0, right);
            });
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("tag", () -> {
                pair.right.tagReceive(target, 0, 64, 7, -1, right);
                pair.toRight.tagSend(source, 0, 64, 7, left);
                drive(pair, left, right);
            });
            operations.put("probe", () -> pair.right.tagProbe(9, -1, found));
            operations.put("stream", () -> {
                pair.toLeft.streamReceive(target, 0, 64, true, right);
                pair.toRight.streamSend(source, 0, 64, left);
                drive(pair, left, right);
            });
            operations.put("active message", () -> {
                pair.toRight.send(ID, source, 0, 8, source, 0, 64, UcxMessageMode.EAGER, left);
                drive(pair, left, right);
            });
            operations.put("put", () -> {
                remote.put(source, 0, 64, 128, left);
                drive(pair, left, right);
            });
            operations.put("get", () -> {
                remote.get(target, 0, 64, 128, left);
                drive(pair, left, right);
            });
            operations.put("atomics", () -> {
                remote.fetchAndAdd64(0, 1, left);
                drive(pair, left, right);
                remote.compareAndSwap32(0, 1, 2, left);
                drive(pair, left, right);
                remote.change64(UcxAtomic.OR, 8, 1, left);
                drive(pair, left, right);
            });
            operations.put("flush", () -> {
                pair.toRight.flush(left);
                drive(pair, left, right);
            });
            operations.put("cancel", () -> {
                pair.right.tagReceive(target, 0, 64, 99, -1, right);
                right.cancel();
                while (!right.isDone()) {
                    pair.right.progress();
                }
                pair.right.flush(right);
                drive(pair, left, right);
            });
            operations.put("progress", () -> pair.left.progress());
            assertEquals(Map.of(), allocating(operations), "bytes per " + CALLS + " operations");
        }
    }

    private static Map<String, Long> allocating(Map<String, Runnable> operations) {
        long cost = allocated(() -> { }, 1);
        Map<String, Long> allocating = new LinkedHashMap<>();
        operations.forEach((name, operation) -> {
            long bytes = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && bytes > 0; round++) {
                bytes = Math.min(bytes, allocated(operation, CALLS) - cost);
            }
            if (bytes > 0) {
                allocating.put(name, bytes);
            }
        });
        return allocating;
    }
}
