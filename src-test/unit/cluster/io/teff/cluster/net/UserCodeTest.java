package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: what an application's own code does - handlers, listeners, codecs, what is chained to a future - harms no other
 * message: a network never stands still because of it.
 *
 * <p>Method: two networks with their own threads, inside of the process; the one has code that throws, interrupts, or
 * calls back into its network. Then a request must be answered. A network that stands still shows by a time limit,
 * which is far above what any machine needs.
 */
@Timeout(120)
final class UserCodeTest {
    private static final long PATIENCE_S = 20;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> FAILING = RequestType.of(4, Codecs.LONG, Codecs.LONG);

    private final String name = "loop:user-code-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).listen(name + nid).addresses(book::get).handlerThreads(2);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    private static void answerSquares(Network network) {
        network.answer(SQUARES, (from, number) -> number * number);
    }

    private static void assertGoesOn(Network from, int to) throws Exception {
        assertEquals(9L, end(from.request(to, SQUARES, 3L)));
    }

    private static <T> T end(CompletableFuture<T> future)
        throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static Reason reason(CompletableFuture<?> future) {
        final ExecutionException thrown = assertThrows(ExecutionException.class, () -> end(future));
        return assertInstanceOf(NetworkException.class, thrown.getCause()).reason();
    }

    // ---- code that throws ----

    /** More errors than there are threads, in lane 0 and in a lane. */
    @Test
    void errorOfAHandler_isAFailureAsAnother() throws Exception {
        final CountDownLatch handled = new CountDownLatch(1);
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                throw new AssertionError("error " + number);
            });
            two.handle(NUMBERS, (from, number) -> {
                if (number < 0) {
                    throw new StackOverflowError();
                }
                handled.countDown();
            });
            for (long i = 0; i < 4; i++) {
                assertEquals(Reason.FAILED, reason(one.request(2, FAILING, i)));
            }
            one.send(2, 7, NUMBERS, -1L);
            one.send(2, 7, NUMBERS, 1L);
            assertEquals(true, handled.await(PATIENCE_S, TimeUnit.SECONDS), "the lane stands still");
            assertGoesOn(one, 2);
        }
    }

    @Test
    void errorOfAShortHandler_doesNotEndTheAgent() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answerShort(FAILING, (from, number) -> {
                throw new AssertionError("error " + number);
            });
            assertEquals(Reason.FAILED, reason(one.request(2, FAILING, 1L)));
            assertGoesOn(one, 2);
        }
    }

    /** A codec whose messages check themselves. */
    private record Choosy() implements Codec<Long> {
        @Override
        public void write(Long value, Output out) {
            Codecs.LONG.write(value, out);
        }

        @Override
        public Long read(Input in) {
            throw new IllegalArgumentException("not " + Codecs.LONG.read(in));
        }

        @Override
        public long fingerprint() {
            return Codecs.LONG.fingerprint();
        }
    }

    @Test
    void answerThatCannotBeRead_endsItsRequest() throws Exception {
        final RequestType<Long, Long> choosy = RequestType.of(4, Codecs.LONG, new Choosy());
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> number);
            assertEquals(Reason.FAILED, reason(one.request(2, choosy, 1L)));
            assertGoesOn(one, 2);
        }
    }

    /** Throws whatever it is told. */
    private static final class Rude implements NetworkListener {
        @Override
        public void up(int nid) {
            throw new IllegalStateException("up");
        }

        @Override
        public void away(int nid, @Nullable Throwable why) {
            throw new IllegalStateException("away");
        }

        @Override
        public void lost(int nid, long messages, String why) {
            throw new IllegalStateException("lost");
        }

        @Override
        public void unhandled(int nid, int type) {
            throw new IllegalStateException("unhandled");
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            throw new IllegalStateException("failed");
        }
    }

    @Test
    void listenerThatThrows_isHeardNoMore() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2).listener(new Rude()))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                throw new IllegalStateException("no " + number);
            });
            for (int i = 0; i < 3; i++) {
                one.send(2, 1, NUMBERS, 1L);                    // nobody handles it
                assertEquals(Reason.FAILED, reason(one.request(2, FAILING, 1L)));
            }
            assertGoesOn(one, 2);
            two.send(5, NUMBERS, 1L);                           // unreachable: lost
            assertGoesOn(one, 2);
        }
    }

    @Test
    void bookOfAddressesThatThrows_makesANodeUnreachable() throws Exception {
        final NetworkConfig.Builder rude = config(1).addresses(nid -> {
            if (nid == 3) {
                throw new IllegalStateException("no node " + nid);
            }
            return book.get(nid);
        });
        try (Network one = open(rude); Network two = open(config(2))) {
            answerSquares(two);
            assertEquals(Reason.UNREACHABLE, reason(one.request(3, SQUARES, 1L)));
            assertGoesOn(one, 2);
        }
    }
}
