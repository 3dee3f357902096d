package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: threads whose stacks end while they send harm no other: later messages and requests pass, and close ends.
 *
 * <p>Method: many threads with small stacks send to one node on their way back from the end of the stack, at once.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EndedStacksTest {
    private static final MessageType<byte[]> NOTES = MessageType.of(1, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final int THREADS = 8;
    private static final int ROUNDS = Form.size(5, 20, 20);
    private static final int SENDS = 60;
    private static final int BYTES_MAX = 300;
    private static final long SMALL_STACK_BYTES = 256 << 10;

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private static NetworkConfig config(int nid) {
        return PatientConfig.of(nid).listen("loop:ended-stacks-" + nid).addresses(to -> "loop:ended-stacks-" + to)
            .build();
    }

    @Test
    void sendersWhoseStacksEnd_stopNobody() throws Exception {
        final AtomicLong received = new AtomicLong();
        try (Network one = Network.open(config(1)); Network two = Network.open(config(2))) {
            two.handleShort(NOTES, (from, bytes) -> received.incrementAndGet());
            two.answerShort(SQUARES, (from, number) -> number * number);
            for (int i = 0; i < 20_000; i++) {
                send(one, i);                                   // loads all classes, also of the ways without room
            }
            assertEquals(9L, one.call(2, SQUARES, 3L));
            for (int round = 0; round < ROUNDS; round++) {
                final List<Thread> threads = new ArrayList<>();
                for (int number = 0; number < THREADS; number++) {
                    threads.add(new Thread(null, () -> dive(one, new int[1]), "small-stack", SMALL_STACK_BYTES));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertEquals(9L, one.call(2, SQUARES, 3L));
            }
            assertTrue(ended.get() > ROUNDS, ended::toString);
            assertTrue(received.get() >= sent.get(), received + " of " + sent);
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private void dive(Network network, int[] count) {
        try {
            dive(network, count);
        } catch (StackOverflowError e) {
            ended.incrementAndGet();
        }
        if (count[0] < SENDS) {
            count[0]++;
            try {
                send(network, count[0]);
            } catch (StackOverflowError e) {
                count[0]++;
            }
        }
    }

    private void send(Network network, int number) {
        try {
            network.send(2, NOTES, new byte[number % BYTES_MAX]);
            sent.incrementAndGet();
        } catch (NetworkException e) {
            throw new AssertionError(e);
        }
    }
}
