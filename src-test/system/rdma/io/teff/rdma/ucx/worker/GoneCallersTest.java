package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.tier.FullTier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a worker that is asked for a connection by one that is gone crashes nothing, while it is used and while it is
 * closed, with UCX's environment set to look for dead peers all the time.
 *
 * <p>Method: in a JVM of its own, callers over shared memory end before the called worker has looked; it goes on, or is
 * closed. UCX has to say that it could not connect back.
 */
@FullTier("JVMs that UCX may end, 10 s; UcxProcessTest kills a peer process in the gate")
@Tag("system")
@Tag("processes")
final class GoneCallersTest {
    private static final String DONE = "callers are gone: ";

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.SYSV})
    void callersThatAreGone_crashNothing(String transport) throws InterruptedException {
        UcxPair.assumeUcx();
        ChildJvm.Result result = ChildJvm.run(Called.class,
            Map.of("UCX_KEEPALIVE_INTERVAL", "10us", "UCX_LOG_LEVEL", "error"), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", ChildJvm.NATIVE, "--", transport);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains(DONE + Called.CALLERS), result.output());
        assertTrue(result.output().contains("failed to connect to remote FIFO"), result.output());
    }

    /** The JVM with the called workers. */
    static final class Called {
        static final int CALLERS = 200;
        private static final int MOVES = 40;

        private Called() {}

        private static UcxContext open(String transport) {
            return UcxContext.open(UcxConfig.builder(UcxFeature.TAG, UcxFeature.WAKEUP).set("TLS", transport)
                .set("MM_ERROR_HANDLING", "y").closeTimeout(Duration.ofMillis(20)).build());
        }

        public static void main(String[] arguments) {
            String transport = arguments[0];
            try (UcxContext friends = open(transport); Arena arena = Arena.ofConfined()) {
                UcxWorker friend = friends.worker(UcxThreadMode.SINGLE);
                MemorySegment memory = arena.allocate(64);
                for (int i = 0; i < CALLERS; i++) {
                    try (UcxContext own = open(transport)) {
                        UcxWorker called = own.worker(UcxThreadMode.SINGLE);
                        UcxEndpoint kept = called.connect(friend.address(), UcxErrorMode.PEER);
                        call(called, transport, memory);
                        for (int move = 0; i % 2 == 0 && move < MOVES; move++) {
                            move(called);
                        }
                        kept.close(UcxCloseMode.FORCE);
                    }
                    friend.progress();
                }
            }
            System.out.println(DONE + CALLERS);
        }

        /** Makes progress, in which UCX looks for dead peers if it does so at all: each 32nd time, or after arming. */
        private static void move(UcxWorker worker) {
            worker.arm();
            worker.progress();
        }

        /** Calls, and ends before the called one has looked. */
        private static void call(UcxWorker called, String transport, MemorySegment memory) {
            try (UcxContext callers = open(transport)) {
                UcxWorker caller = callers.worker(UcxThreadMode.SINGLE);
                UcxEndpoint endpoint = caller.connect(called.address(), UcxErrorMode.PEER);
                endpoint.tagSendSync(memory, 0, 8, 1, caller.request());
                for (int move = 0; move < MOVES; move++) {
                    caller.progress();
                }
                endpoint.close(UcxCloseMode.FORCE);
            }
        }
    }
}
