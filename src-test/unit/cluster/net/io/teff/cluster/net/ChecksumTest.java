package io.teff.cluster.net;

import io.teff.cluster.net.agent.LoopTap;
import io.teff.cluster.net.agent.StillNetworks;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: with checksums, bits flipped in flight never reach a handler: each message and answer arrives once, in order
 * and unchanged, over as many links as necessary.
 *
 * <p>Method: networks without threads, over links in the process that flip a bit now and then in both directions, after
 * the handshake, which has proofs of its own.
 */
final class ChecksumTest {
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);
    private static final long HOUR = 3_600_000_000_000L;
    private static final int MESSAGES = 2_000;
    private static final int ROUNDS_MAX = 10_000_000;
    private static final int GREETING_PIECES = 3;
    private static final int CHANGE_ONE_OF = 10;

    private final StillNetworks still = new StillNetworks(1);
    private SplittableRandom random = new SplittableRandom(0);
    private int changeOneOf = CHANGE_ONE_OF;
    private boolean isLengthNext;
    private int changed;

    /** Links that flip bits. */
    private final class Changing extends LoopTap {
        @Override
        public Link connect(String address, LinkEvents events) throws IOException {
            final int[] pieces = new int[2];
            return new TappedLink(super.connect(address, new TappedEvents(events) {
                @Override
                public void bytes(MemorySegment memory, long from, int count) {
                    super.bytes(pass(memory, from, count, pieces[0]++), 0, count);
                }
            })) {
                @Override
                public int write(MemorySegment memory, long from, int bytes) {
                    return super.write(pass(memory, from, bytes, pieces[1]++), 0, bytes);
                }
            };
        }
    }

    private MemorySegment pass(MemorySegment memory, long from, int count, int pieces) {
        final byte[] copy = memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE);
        if (isLengthNext) {
            isLengthNext = false;
            copy[2] ^= 1;                                       // another 64 KiB
        } else if (count > 0 && pieces >= GREETING_PIECES && random.nextInt(changeOneOf) == 0) {
            copy[random.nextInt(count)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            changed++;
        }
        return MemorySegment.ofArray(copy);
    }

    private Network open(int nid) throws IOException {
        return still.open(still.config(nid).sendTimeoutNs(0).requestTimeoutNs(HOUR).awayNs(HOUR).reachNs(HOUR)
            .checksums("loop"), new Transports(Map.of("loop", Changing::new), false));
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
    }

    private void settle() {
        still.settle(20, 1_000_000);
    }

    private byte[] content(int number) {
        final byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(40_000) : random.nextInt(8, 100)];
        new SplittableRandom(number).nextBytes(bytes);
        return bytes;
    }

    /** Without this limit keep-alives would fill the frame only after an hour. */
    @Test
    void lengthThatChangesOnTheWay_endsTheLinkSoon() throws IOException {
        changeOneOf = Integer.MAX_VALUE;
        final List<byte[]> handled = new ArrayList<>();
        final Network one = open(1);
        final Network two = open(2);
        two.handle(BYTES, (from, bytes) -> handled.add(bytes));
        for (int i = 1; i <= 2; i++) {
            assertTrue(one.offer(2, 1, BYTES, new byte[64]));
            isLengthNext = i == 2;
            settle();
            assertEquals(1, handled.size());
        }
        final NetworkConfig config = NetworkConfig.builder(1).build();
        for (final long end = still.nowNs + 2 * config.silenceNs(); still.nowNs < end; ) {
            settle();
        }
        assertEquals(2, handled.size(), one.agent().connection(2)::toString);
        assertEquals(0, one.stats().sessionsLost());
    }

    @RepeatedTest(5)
    void bitsThatChangeOnTheWay_areNeverSeen(RepetitionInfo repetition) throws IOException {
        final long seed = Seed.first() + repetition.getCurrentRepetition() - 1;
        random = new SplittableRandom(seed);
        final List<byte[]> sent = new ArrayList<>();
        final List<byte[]> handled = new ArrayList<>();
        final List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        final Network one = open(1);
        final Network two = open(2);
        two.handle(BYTES, (from, bytes) -> handled.add(bytes));
        two.answer(ECHO, (from, bytes) -> bytes);
        try {
            while (sent.size() < MESSAGES) {
                final byte[] bytes = content(sent.size());
                if (one.offer(2, 1, BYTES, bytes)) {
                    sent.add(bytes);
                    answers.add(one.request(2, ECHO, bytes));
                }
                settle();
            }
            for (int i = 0; i < ROUNDS_MAX && !answers.stream().allMatch(CompletableFuture::isDone); i++) {
                settle();
            }
            assertEquals(sent.size(), handled.size());
            for (int i = 0; i < sent.size(); i++) {
                assertArrayEquals(sent.get(i), handled.get(i), "message " + i);
                assertArrayEquals(sent.get(i), answers.get(i).join(), "answer " + i);
            }
            assertEquals(0, one.stats().sessionsLost() + two.stats().sessionsLost());
            assertTrue(changed > 20, changed + " bits were changed");
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("reproduce: -Dtest=ChecksumTest -Dseed=" + seed, e);
        }
    }
}
