package io.teff.test.net;

import static io.teff.test.net.Messages.ECHO;
import static io.teff.test.net.Messages.FAILING;
import static io.teff.test.net.Messages.LENGTH_MAX;
import static io.teff.test.net.Messages.NUMBERS;
import static io.teff.test.net.Messages.SQUARES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkException;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: what transports do differently is right over each of them: messages arrive once and in the order of their
 * lanes, requests are answered, whatever their lengths, and a node that starts anew is reached. The gate has this over
 * each transport. The rest of the contract is {@link NetworkContract}.
 *
 * <p>Method: networks with their own threads, over the transport of the nodes.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public interface EachTransport {
    /** Where the longest request is not of the maximum length, it is of this part of it. */
    int PART = Form.size(64, 8, 8);

    /** Returns the nodes of this test. */
    TestNodes nodes();

    /** Sends a number to node 2. On a busy machine there may be no room for longer than a send waits. */
    private static void sendNow(Network one, int lane, long number) {
        boolean isSent = false;
        while (!isSent) {
            try {
                one.send(2, lane, NUMBERS, number);
                isSent = true;
            } catch (NetworkException e) {
                assertEquals(Reason.TIMED_OUT, e.reason());
            }
        }
    }

    @Test
    default void messages_inOrderWithinTheirLanes() throws IOException, InterruptedException {
        final int lanes = 4;
        final int count = 20_000;
        final CountDownLatch left = new CountDownLatch(lanes * count);
        final AtomicReferenceArray<List<Long>> seen = new AtomicReferenceArray<>(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            seen.set(lane, Collections.synchronizedList(new ArrayList<>()));
        }
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            two.handle(NUMBERS, (from, number) -> {
                assertEquals(1, from);
                seen.get((int) (number % lanes)).add(number / lanes);
                left.countDown();
            });
            final List<Thread> senders = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                final int its = lane;
                senders.add(Thread.ofPlatform().start(() -> {
                    for (long i = 0; i < count; i++) {
                        sendNow(one, its, i * lanes + its);
                    }
                }));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            left.await();
        }
        for (int lane = 0; lane < lanes; lane++) {
            final List<Long> numbers = seen.get(lane);
            if (lane == 0) {
                Collections.sort(numbers);                      // the lane without an order
            }
            for (int i = 0; i < count; i++) {
                assertEquals(i, numbers.get(i), "lane " + lane);
            }
        }
    }

    @Test
    default void requests_areAnswered() throws IOException, InterruptedException {
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            Messages.answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                throw new IllegalStateException("no " + number);
            });
            assertEquals(49, one.call(2, SQUARES, 7L));
            final List<CompletableFuture<Long>> all = new ArrayList<>();
            for (long i = 0; i < 10_000; i++) {
                all.add(one.request(2, SQUARES, i));
            }
            for (long i = 0; i < all.size(); i++) {
                assertEquals(i * i, all.get((int) i).join());
            }
            final NetworkException failed = assertThrows(NetworkException.class, () -> one.call(2, FAILING, 3L));
            assertEquals(Reason.FAILED, failed.reason());
            assertTrue(String.valueOf(failed.getMessage()).contains("no 3"), failed.getMessage());
            assertEquals(Reason.NO_HANDLER,
                assertThrows(NetworkException.class, () -> one.call(2, ECHO, new byte[1])).reason());
            two.send(1, NUMBERS, 1L);
            assertEquals(25, one.call(2, SQUARES, 5L));
        }
    }

    @Test
    default void bytesOfAnyLength_comeAsTheyWere() throws IOException, InterruptedException {
        final SplittableRandom random = new SplittableRandom(1);
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            two.answer(ECHO, (from, bytes) -> bytes);
            for (int length : new int[] {0, 1, 8, 100, 4000, 8160, 8192, 8200, 65_000, 70_000, 1 << 20, 5_000_001,
                LENGTH_MAX}) {
                final byte[] bytes = new byte[length < LENGTH_MAX || nodes().echoesLongest() ? length : length / PART];
                random.nextBytes(bytes);
                assertArrayEquals(bytes, one.call(2, ECHO, bytes), "length " + bytes.length);
            }
        }
    }

    @Test
    default void nodeThatStartsAnew_isReached() throws IOException, InterruptedException {
        try (Network one = nodes().open(1)) {
            for (int start = 0; start < 3; start++) {
                try (Network two = nodes().open(2)) {
                    Messages.answerSquares(two);
                    assertEquals(9, callAgain(one), "start " + start);
                }
            }
        }
    }

    /** Calls until the session with the previous process is found to have ended. */
    private static long callAgain(Network from) throws InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            try {
                return from.call(2, SQUARES, 3L);
            } catch (NetworkException e) {
                assertEquals(Reason.LOST, e.reason());
            }
        }
        return -1;
    }

    @Test
    default void addressThatIsTaken_cannotBeListenedAt() throws IOException {
        try (Network one = nodes().open(1)) {
            final NetworkConfig same = NetworkConfig.builder(2).listen(one.addresses().getFirst()).build();
            assertThrows(BindException.class, () -> Network.open(same));
        }
    }
}
