package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.call.UcpLibrary;
import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/** Two workers of one context in one thread, connected in both directions, over the transports that a test names. */
public final class UcxPair implements AutoCloseable {
    public static final String POSIX = "posix";
    public static final String SYSV = "sysv";
    public static final String TCP = "tcp";
    private static final long WAIT_NS_MAX = 60_000_000_000L;
    private static final int YIELD_AFTER = 100;

    public final UcxContext context;
    public final UcxWorker left;
    public final UcxWorker right;
    public final UcxEndpoint toRight;
    public final UcxEndpoint toLeft;
    public final UcxRequest leftRequest;
    public final UcxRequest rightRequest;
    public final Arena arena = Arena.ofConfined();
    private final MemorySegment scratch = arena.allocate(64, Long.BYTES);

    private UcxPair(UcxContext context, UcxErrorMode mode) {
        this.context = context;
        left = context.worker(UcxThreadMode.SINGLE);
        right = context.worker(UcxThreadMode.SINGLE);
        toRight = left.connect(right.address(), mode);
        toLeft = right.connect(left.address(), mode);
        leftRequest = left.request();
        rightRequest = right.request();
    }

    /** Skips the test, with one line that says why, where UCX is missing. */
    public static void assumeUcx() {
        boolean isPresent = UcpLibrary.library().isPresent();
        if (!isPresent) {
            System.out.println("ucx: skipped, " + UcpLibrary.library() + "; apt-get install "
                + UcpLibrary.DEBIAN_PACKAGE);
        }
        Assumptions.assumeTrue(isPresent, "no " + UcpLibrary.SONAME);
    }

    public static UcxConfig.Builder config(String transports) {
        UcxConfig.Builder builder = UcxConfig.builder(UcxFeature.values()).set("TLS", transports)
            .closeTimeout(Duration.ofMillis(500));
        return transports.equals(TCP) ? builder
            : builder.set("MM_ERROR_HANDLING", "y").set(UcxConfig.DEATH_WATCH, "100ms");
    }

    public static UcxPair open(String transports) {
        return open(transports, UcxErrorMode.PEER);
    }

    public static UcxPair open(String transports, UcxErrorMode mode) {
        assumeUcx();
        return new UcxPair(UcxContext.open(config(transports).build()), mode);
    }

    /** Makes progress on both sides until a condition holds. */
    public void until(BooleanSupplier condition) {
        until(condition, left, right);
    }

    public static void until(BooleanSupplier condition, UcxWorker... workers) {
        long begin = System.nanoTime();
        int idle = 0;
        while (!condition.getAsBoolean()) {
            int events = 0;
            for (UcxWorker worker : workers) {
                events += worker.progress();
            }
            idle = events == 0 ? idle + 1 : 0;
            if (idle > YIELD_AFTER) {
                Thread.yield();
                assertTrue(System.nanoTime() - begin < WAIT_NS_MAX, "no end of the wait");
            }
        }
    }

    public void finish(UcxRequest... requests) {
        for (UcxRequest request : requests) {
            until(request::isDone);
            assertEquals(UcxStatus.OK, request.status());
        }
    }

    /** Memory with a pattern that depends on a seed. */
    public MemorySegment filled(long size, int seed) {
        MemorySegment memory = arena.allocate(Math.max(size, 1), Long.BYTES);
        for (long i = 0; i < size; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
        }
        return memory;
    }

    /** A few bytes for tests that do not look at them. */
    public MemorySegment leftMemory() {
        return scratch;
    }

    public MemorySegment empty(long size) {
        return arena.allocate(Math.max(size, 1), Long.BYTES);
    }

    public static void assertSame(MemorySegment expected, MemorySegment found, long size) {
        assertEquals(-1, MemorySegment.mismatch(expected, 0, size, found, 0, size));
    }

    /** Ends the endpoints without waiting for each other, as one thread drives both. */
    @Override
    public void close() {
        toRight.close(UcxCloseMode.FORCE);
        toLeft.close(UcxCloseMode.FORCE);
        context.close();
        arena.close();
    }
}
