package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.compute.JobException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random messages to random receivers: each receiver gets the bytes of its messages in order, in whole messages. */
final class OutboxTest {
    private static final int WORKERS = 5;
    private static final int OPEN_MAX = 100_000;
    private static final int MESSAGES = 20_000;

    @Test
    void add_randomMessages_areReceivedInOrder_withBoundedMemory() {
        long seed = Long.getLong("seed", 7);
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream[] expected = new ByteArrayOutputStream[WORKERS];
        ByteArrayOutputStream[] received = new ByteArrayOutputStream[WORKERS];
        int[] numbers = new int[WORKERS];
        long[] open = new long[1];
        for (int i = 0; i < WORKERS; i++) {
            expected[i] = new ByteArrayOutputStream();
            received[i] = new ByteArrayOutputStream();
        }
        Outbox outbox = new Outbox(WORKERS, (to, number, batch) -> {
            assertEquals(numbers[to]++, number, "reproduce: -Dseed=" + seed);
            assertTrue(batch.length > 0 && batch.length <= Outbox.BATCH_BYTES_MAX);
            assertEquals(0, batch.length % Long.BYTES, "no message is cut");
            received[to].writeBytes(batch);
            open[0] -= batch.length;
        }, OPEN_MAX);
        for (int i = 0; i < MESSAGES; i++) {
            int to = random.nextInt(WORKERS);
            byte[] message = new byte[Long.BYTES * (1 + random.nextInt(8))];
            random.nextBytes(message);
            outbox.add(to, message);
            expected[to].writeBytes(message);
            open[0] += message.length;
            assertTrue(open[0] <= OPEN_MAX, "open bytes " + open[0]);
        }
        outbox.addLong(2, 0x0102_0304_0506_0708L);
        expected[2].writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0x0102_0304_0506_0708L)
            .array());
        outbox.flush();
        for (int i = 0; i < WORKERS; i++) {
            assertArrayEquals(expected[i].toByteArray(), received[i].toByteArray(), "reproduce: -Dseed=" + seed);
        }
    }

    @Test
    void add_longestMessage_isABatch_andALongerOneFails() {
        int[] batches = new int[1];
        Outbox outbox = new Outbox(1, (_, _, batch) -> batches[0] += batch.length == Outbox.BATCH_BYTES_MAX ? 1 : 100);
        outbox.add(0, new byte[Outbox.BATCH_BYTES_MAX]);
        outbox.add(0, new byte[Outbox.BATCH_BYTES_MAX]);
        assertEquals(1, batches[0]);
        outbox.flush();
        assertEquals(2, batches[0]);
        assertEquals(2L * Outbox.BATCH_BYTES_MAX, outbox.sentBytes());
        assertEquals(JobException.Reason.FAILED, assertThrows(JobException.class,
            () -> outbox.add(0, new byte[Outbox.BATCH_BYTES_MAX + 1])).reason());
    }
}
