package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Platform;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.test.kit.Form;
import io.teff.test.net.Told;
import io.teff.test.net.TransportEnds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: whatever a peer that uses UCX itself sends, its own link gets what the protocol says, or ends; no exception is
 * thrown, other links go on, and nothing is left behind.
 *
 * <p>Method: random HELLOs, and random active messages beside a model of the link, by seed. {@code -Dteff.fuzz.ucx=N}
 * for more links.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UcxFuzzTest {
    private static final long LINKS = Form.size("teff.fuzz.ucx", 10L, 30L, 30L);
    private static final long SEED = Long.getLong("seed", 1);
    private static final long WAIT_NS = 60_000_000_000L;
    private static final int MESSAGES = 40;
    private static final int[] IDS = {0, 2, 77};
    private static final int HEADER_MAX = 64;
    private static final int LONG = 1 << 20;

    private final UcxTransport attacked = new UcxTransport(Platform.SYSTEM);
    private final UcxTransport honest = new UcxTransport(Platform.SYSTEM);
    private final List<Told> accepted = new ArrayList<>();
    private @Nullable Foreigner foreigner;
    private String what = "";

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @AfterEach
    void close() {
        TransportEnds.closeAll(List.of(attacked, honest));
    }

    private void until(BooleanSupplier isSo) {
        final long begin = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < WAIT_NS, () -> what + ": it did not come about: " + accepted);
            attacked.poll();
            honest.poll();
            final Foreigner its = foreigner;
            if (its != null) {
                its.worker.progress();
            }
        }
    }

    /** What the link of the foreigner must have, if messages arrive in their order. */
    private static final class Model {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long next = 1;
        private boolean isOver;

        /** Takes a message that the protocol knows. */
        void take(MemorySegment memory, int length, long place, boolean isClose) {
            if (!isOver && place == next) {
                next++;
                isOver = isClose;
                if (!isClose) {
                    bytes.writeBytes(memory.asSlice(PieceLayout.HEAD, length - PieceLayout.HEAD)
                        .toArray(ValueLayout.JAVA_BYTE));
                }
            } else {
                isOver = true;
            }
        }
    }

    @Test
    void anyMessages_endTheirOwnLinkAtMost() throws IOException {
        final String at = attacked.listen(Ucx.ANY, Told.into(accepted));
        final Told other = new Told();
        other.link = honest.connect(at, other);
        until(() -> other.connected == 1 && accepted.size() == 1);
        final Told its = accepted.getFirst();
        for (long seed = SEED; seed < SEED + LINKS; seed++) {
            what = "reproduce: -Dseed=" + seed + " -Dteff.fuzz.ucx=1";
            attack(at, new SplittableRandom(seed));
            final int before = its.bytes.size();
            assertEquals(3, other.link.write(MemorySegment.ofArray(new byte[3]), 0, 3));
            until(() -> its.bytes.size() == before + 3);
            assertEquals(0, other.closed + its.closed, what);
        }
        until(() -> attacked.linkCount() == 1);
        assertEquals(0, attacked.buffersInUse());
    }

    private void attack(String at, SplittableRandom random) throws IOException {
        try (Foreigner its = new Foreigner(at)) {
            foreigner = its;
            its.hello(random.nextLong());
            until(its::isAnswered);
            final long number = its.answered();
            final int known = accepted.size();
            its.send(number, 0, PieceLayout.HEAD);
            until(() -> its.request.isDone() && accepted.size() > known);
            final Told told = accepted.getLast();
            final Model model = new Model();
            for (int i = 0; i < MESSAGES && !model.isOver; i++) {
                say(its, random, number, model);
            }
            until(() -> told.closed == 1 || !model.isOver && told.bytes.size() == model.bytes.size());
            assertEquals(model.isOver ? 1 : 0, told.closed, what);
            assertArrayEquals(model.bytes.toByteArray(), told.bytes.toByteArray(), what);
        } finally {
            foreigner = null;
        }
    }

    private void say(Foreigner its, SplittableRandom random, long number, Model model) {
        final boolean isRightId = random.nextInt(8) > 0;
        final boolean isRendezvous = random.nextInt(8) == 0;
        final long link = random.nextInt(4) > 0 ? number : random.nextBoolean() ? random.nextLong()
            : number ^ 1L << random.nextInt(64);
        final long place = random.nextInt(30) > 0 ? model.next : random.nextLong() >>> 1;
        final boolean isClose = random.nextInt(60) == 0;
        final int length = random.nextInt(6) > 0 ? random.nextInt(PieceLayout.HEAD, PieceLayout.SIZE + 1)
            : random.nextBoolean() ? random.nextInt(PieceLayout.HEAD) : random.nextInt(PieceLayout.SIZE + 1, LONG);
        final int header = random.nextInt(4) > 0 ? 0 : random.nextInt(HEADER_MAX);
        for (int i = 0; i < PieceLayout.SIZE / Long.BYTES; i++) {
            its.memory.set(ValueLayout.JAVA_LONG, (long) i * Long.BYTES, random.nextLong());
        }
        PieceLayout.writeHead(its.memory, link, place, isClose);
        its.path.send(isRightId ? UcxLinks.MESSAGE : IDS[random.nextInt(IDS.length)], its.memory, 0, header,
            its.memory, 0, length, isRendezvous ? UcxMessageMode.RENDEZVOUS : UcxMessageMode.EAGER, its.request);
        until(its.request::isDone);
        if (isRightId && !isRendezvous && link == number && length >= PieceLayout.HEAD && length <= PieceLayout.SIZE) {
            model.take(its.memory, length, place, isClose);
        }
    }

    /** A changed bit of HELLO ends the connection, unless it is of the dialer's number, or behind the address. */
    @Test
    void anyHello_endsItsOwnConnectionAtMost() throws IOException {
        final String at = attacked.listen(Ucx.ANY, Told.into(accepted));
        for (long seed = SEED; seed < SEED + LINKS; seed++) {
            what = "reproduce: -Dseed=" + seed + " -Dteff.fuzz.ucx=1";
            final SplittableRandom random = new SplittableRandom(seed);
            try (Foreigner its = new Foreigner(at)) {
                foreigner = its;
                final byte[] address = its.worker.address();
                UcxHello.write(its.memory, random.nextLong(), address);
                final int from = random.nextInt(24 + address.length - Long.BYTES);
                final long place = from < Long.BYTES ? from : from + Long.BYTES;    // not in the number
                its.memory.set(ValueLayout.JAVA_BYTE, place,
                    (byte) (its.memory.get(ValueLayout.JAVA_BYTE, place) ^ 1 << random.nextInt(Byte.SIZE)));
                its.sayBegin();
                until(its::isCutOff);
            } finally {
                foreigner = null;
            }
        }
        until(() -> attacked.linkCount() == 0);
        assertEquals(List.of(), accepted);
        assertEquals(0, attacked.buffersInUse());
    }
}
