package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a call ends exactly once and leaves nothing behind, whatever its answer, its thread and its network do.
 *
 * <p>Method: two networks in the process, and calls that are too early, interrupted, or whose answer takes too long.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CallTest {
    private static final long PATIENCE_S = 60;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);

    private final String name = "loop:call-test-" + NAMES.incrementAndGet() + "-";

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(to -> name + to).handlerThreads(2);
    }

    private static Network open(NetworkConfig.Builder config) throws IOException {
        return Network.open(config.build());
    }

    private static void answerSquares(Network network) {
        network.answer(SQUARES, (from, number) -> number * number);
    }

    @Test
    void callBeforeTheNetworkHasBegun_isRefused() throws Exception {
        try (Network two = open(config(2))) {
            answerSquares(two);
            final Consumer<Network> early =
                it -> assertThrows(IllegalStateException.class, () -> it.call(2, SQUARES, 1L));
            try (Network one = Network.open(config(1).build(), early)) {
                assertEquals(9L, one.call(2, SQUARES, 3L));
            }
        }
    }

    @Test
    void interruptedCall_leavesNothingBehind() throws Exception {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch free = new CountDownLatch(1);
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.answer(SQUARES, (from, number) -> {
                asked.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return number * number;
            });
            final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            final Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    one.call(2, SQUARES, 1L, Long.MAX_VALUE);
                    interrupted.complete(false);
                } catch (InterruptedException e) {
                    interrupted.complete(true);
                }
            });
            assertTrue(asked.await(PATIENCE_S, TimeUnit.SECONDS));
            caller.interrupt();
            assertEquals(true, interrupted.get(PATIENCE_S, TimeUnit.SECONDS));
            assertEquals(List.of(0L, 1L), List.of(one.stats().requestsInFlight(), one.stats().requestsFailed()));
            free.countDown();
            assertEquals(9L, one.call(2, SQUARES, 3L));
        }
    }

    /** The agent reads the answer and cannot end the call meanwhile. */
    @Test
    void callWhoseAnswerIsReadForTooLong_ends() throws Exception {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch free = new CountDownLatch(1);
        final Codec<Long> slow = new Codec<>() {
            @Override
            public void write(Long value, Output out) {
                out.putLong(value);
            }

            @Override
            public Long read(Input in) {
                begun.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return in.getLong();
            }

            @Override
            public long fingerprint() {
                return 1;
            }
        };
        final RequestType<Long, Long> type = RequestType.of(99, Codecs.LONG, slow);
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.answer(type, (from, number) -> number);
            answerSquares(two);
            try {
                for (long ns = 100_000_000; begun.getCount() > 0; ns *= 2) {    // or the deadline came first
                    final long timeoutNs = ns;
                    assertEquals(Reason.TIMED_OUT, assertThrows(NetworkException.class,
                        () -> one.call(2, type, 1L, timeoutNs)).reason());
                }
            } finally {
                free.countDown();
            }
            assertEquals(9L, one.call(2, SQUARES, 3L));
        }
    }
}
