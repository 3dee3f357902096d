package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.Transport;
import io.teff.rdma.verbs.connect.ConnectionEventType;
import io.teff.rdma.verbs.device.Verbs;
import io.teff.rdma.verbs.queue.SendBatch;
import io.teff.test.kit.tier.LongTier;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: whatever a peer that uses a queue pair itself does, its own link gets the bytes of its messages, or ends; no
 * exception is thrown, other links go on, and nothing is left behind.
 *
 * <p>Method: random words in the requests to connect, and random requests beside a model of the link, by seed; {@code
 * -Dteff.fuzz.verbs=N} for more links. And much of one attack: messages whose second half never comes, connections
 * that are never confirmed.
 */
@LongTier("Minutes in the emulated guest. FuzzTest changes the same frames without a device.")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FuzzInGuest {
    private static final long LINKS = Long.getLong("teff.fuzz.verbs", 25);
    private static final long SEED = Long.getLong("seed", 1);
    private static final long WAIT_NS = 60_000_000_000L;
    private static final int REQUESTS = 12;
    /** Longest message of the protocol. */
    private static final int MESSAGE_MAX = 8_192;
    private static final int SAID_MAX = 56;
    /** More than there are receives. */
    private static final int HALVES = 600;
    /** Fewer than after which new links get another queue of receives. */
    private static final int HALVES_BEFORE = 200;
    /** With those before, more than there are receives. */
    private static final int HALVES_AT_ONCE = 330;
    /** For a half that the device does not send. */
    private static final int TRIES_EACH = 4;
    private static final long ARRIVAL_NS = 20_000_000L;
    /** More than connections that may wait for being confirmed. */
    private static final int SILENT = 270;
    private static final int SILENT_MAX = 256;
    /** Objects of a connection: its own and its queue pair. */
    private static final int OBJECTS = 2;
    /** The same for a connection that is made, with both sides' objects. */
    private static final long CONFIRMED = 5;

    private final Transport attacked = LinkInGuest.transportOfVerbs();
    private final Transport honest = LinkInGuest.transportOfVerbs();
    private final List<Told> accepted = new ArrayList<>();
    private final Told told = new Told();
    private Foreigner foreigner;
    private String at;
    private String what = "";

    @AfterEach
    void close() {
        if (foreigner != null) {
            foreigner.close();
        }
        TransportEnds.closeAll(List.of(attacked, honest));
    }

    private void until(BooleanSupplier isSo) {
        final long begin = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < WAIT_NS, () -> what + ": it did not come about: honest " + told
                + ", accepted " + accepted.subList(Math.max(0, accepted.size() - 2), accepted.size()));
            attacked.poll();
            honest.poll();
            if (foreigner != null) {
                foreigner.poll();
            }
        }
    }

    /** An honest link, over which bytes go in both directions after each attack. */
    private void begin() throws IOException {
        at = attacked.listen("verbs:" + Guest.leftAddress() + ":0", Told.into(accepted));
        told.link = honest.connect(at, told);
        until(() -> told.connected == 1 && accepted.size() == 1);
        foreigner = new Foreigner();
    }

    private void goOn() {
        final Told its = accepted.getFirst();
        final int there = its.bytes.size();
        final int back = told.bytes.size();
        assertEquals(3, told.link.write(MemorySegment.ofArray(new byte[3]), 0, 3), what);
        assertEquals(5, its.link.write(MemorySegment.ofArray(new byte[5]), 0, 5), what);
        until(() -> its.bytes.size() == there + 3 && told.bytes.size() == back + 5);
        assertEquals(0, told.closed + its.closed, what);
    }

    private Told connected() {
        final int known = accepted.size();
        foreigner.dial(at, Foreigner.HELLO);
        until(() -> foreigner.isConnected() && accepted.size() > known);
        return accepted.getLast();
    }

    // ---- random requests ----

    @Test
    void anyRequests_endTheirOwnLinkAtMost() throws IOException {
        begin();
        connected();
        foreigner.hangUp();
        until(() -> accepted.getLast().closed == 1);
        goOn();
        final long held = Verbs.openObjects().size();
        for (long seed = SEED; seed < SEED + LINKS; seed++) {
            what = "reproduce: -Dseed=" + seed + " -Dteff.fuzz.verbs=1";
            attack(new SplittableRandom(seed));
            goOn();
        }
        until(() -> Verbs.openObjects().size() <= held);
    }

    private void attack(SplittableRandom random) {
        final Told its = connected();
        final ByteArrayOutputStream expected = new ByteArrayOutputStream();
        boolean isBroken = false;
        for (int i = random.nextInt(REQUESTS); i > 0 && !isBroken; i--) {
            isBroken = !request(random, expected);
            until(foreigner::isDone);
            assertEquals(!isBroken, foreigner.results.isSuccess(0), what);
        }
        if (random.nextBoolean() && !isBroken) {
            foreigner.disconnect();
        } else {
            foreigner.hangUp();
        }
        until(() -> its.closed == 1);
        assertArrayEquals(expected.toByteArray(), its.bytes.toByteArray(), what);
        foreigner.hangUp();
    }

    /** Posts a request; returns whether the device fulfils it. */
    private boolean request(SplittableRandom random, ByteArrayOutputStream expected) {
        final int length = random.nextInt(MESSAGE_MAX + 1);
        final MemorySegment memory = foreigner.region.memory();
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        final long address = random.nextLong();
        final int key = random.nextInt();
        boolean isFulfilled = false;
        switch (random.nextInt(16)) {
            case 0 -> foreigner.batch.send(1).add(foreigner.region, 0,
                random.nextInt(MESSAGE_MAX + 1, Foreigner.BYTES + 1));
            case 1 -> foreigner.batch.write(1, address, key).add(foreigner.region, 0, 1 + length);
            case 2 -> foreigner.batch.writeImmediate(1, address, key, 7).add(foreigner.region, 0, 1 + length);
            case 3 -> foreigner.batch.fetchAndAdd(1, address & -Long.BYTES, key, 1)
                .add(foreigner.region, 0, Long.BYTES);
            case 4 -> half();
            case 5 -> {
                foreigner.batch.writeImmediate(1, address, key, random.nextInt());
                isFulfilled = true;                             // it has no bytes
            }
            default -> {
                final SendBatch batch = foreigner.batch;
                (random.nextInt(4) > 0 ? batch.send(1) : batch.sendImmediate(1, 7)).add(foreigner.region, 0, length);
                expected.writeBytes(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                isFulfilled = true;
            }
        }
        foreigner.post();
        return isFulfilled;
    }

    /** The device sends the packets of the first segment, and may not read the second. */
    private void half() {
        foreigner.batch.send(1).add(foreigner.region, 0, MESSAGE_MAX / 2).add(foreigner.alien, 0, MESSAGE_MAX / 2);
    }

    // ---- much of one attack ----

    /** More such messages than there are receives: each has begun in one that it never completes. */
    @Test
    void messagesWithoutASecondHalf_takeNoReceiveOfOthers() throws IOException {
        begin();
        what = "halves";
        halves(HALVES);
        goOn();
    }

    private void halves(int count) throws IOException {
        int arrived = 0;
        for (int i = 0; i < TRIES_EACH * count && arrived < count; i++) {
            final Told its = connected();
            arrived += sendHalf() ? 1 : 0;
            foreigner.hangUp();
            until(() -> its.closed == 1);
            assertEquals(0, its.bytes.size());
        }
        assertEquals(count, arrived, "halves that arrived");
    }

    /** Returns whether the first half has arrived: the device may fail before it sends it. */
    private boolean sendHalf() throws IOException {
        final long before = Guest.leftPackets();
        half();
        foreigner.post();
        until(foreigner::isDone);
        final long begin = System.nanoTime();
        boolean isThere = false;
        while (!isThere && System.nanoTime() - begin < ARRIVAL_NS) {
            isThere = Guest.leftPackets() > before;
        }
        return isThere;
    }

    /**
     * More than there are receives, of which the most at once: no other queue can be taken meanwhile. The honest link,
     * whose queue has no receive left, ends, and one that is made anew gets bytes.
     */
    @Test
    void messagesWithoutASecondHalf_ofManyLinksAtOnce_leaveReceivesForNewLinks() throws IOException {
        begin();
        what = "halves at once";
        halves(HALVES_BEFORE);
        final List<Foreigner> others = new ArrayList<>(List.of(foreigner));
        try {
            int arrived = 0;
            for (int i = 0; i < TRIES_EACH * HALVES_AT_ONCE && arrived < HALVES_AT_ONCE; i++) {
                foreigner = new Foreigner();
                others.add(foreigner);
                connected();
                arrived += sendHalf() ? 1 : 0;
            }
            assertEquals(HALVES_AT_ONCE, arrived, "halves that arrived");
        } finally {
            others.forEach(Foreigner::close);
            foreigner = null;
        }
        until(() -> told.closed == 1 && accepted.stream().allMatch(its -> its.closed == 1));
        final Told again = new Told();
        final int known = accepted.size();
        again.link = honest.connect(at, again);
        until(() -> again.connected == 1 && accepted.size() > known);
        assertEquals(3, again.link.write(MemorySegment.ofArray(new byte[3]), 0, 3));
        until(() -> accepted.getLast().bytes.size() == 3);
    }

    /** Such connections are as many as the limit at most, and keep no other out. */
    @Test
    void connectionsThatAreNotConfirmed_keepNoLinkOut() throws IOException {
        begin();
        what = "silent";
        final List<Foreigner> silent = new ArrayList<>();
        try {
            final long held = Verbs.openObjects().size();
            for (int i = 0; i < SILENT; i++) {
                final Foreigner its = new Foreigner();
                silent.add(its);
                its.dial(at, Foreigner.HELLO);
                until(() -> {
                    if (its.pair == null) {
                        its.poll();
                    }
                    return its.pair != null;
                });
            }
            goOn();
            connected();
            final long own = Verbs.openObjects().size() - held - silent.size() * Foreigner.OBJECTS;
            assertTrue(own <= (SILENT_MAX + CONFIRMED) * OBJECTS, () -> own + " objects");
        } finally {
            silent.forEach(Foreigner::close);
        }
        foreigner.hangUp();
        until(() -> accepted.getLast().closed == 1);
        goOn();
    }

    // ---- random words ----

    /** A dialer that says something else is rejected; what follows behind the right words is ignored. */
    @Test
    void anyWords_ofADialer_areRejectedOrIgnored() throws IOException {
        begin();
        for (long seed = SEED; seed < SEED + LINKS; seed++) {
            what = "reproduce: -Dseed=" + seed + " -Dteff.fuzz.verbs=1";
            final SplittableRandom random = new SplittableRandom(seed);
            final byte[] said = new byte[random.nextInt(SAID_MAX + 1)];
            random.nextBytes(said);
            final boolean isRight = said.length >= Foreigner.HELLO.length && random.nextInt(4) == 0;
            if (random.nextBoolean() || isRight) {
                System.arraycopy(Foreigner.HELLO, 0, said, 0, Math.min(said.length, Foreigner.HELLO.length));
            }
            if (!isRight && said.length > 0) {
                said[random.nextInt(Math.min(said.length, Foreigner.HELLO.length))] ^= (byte) 0x80;
            }
            final int known = accepted.size();
            foreigner.dial(at, said);
            if (isRight) {
                until(() -> foreigner.isConnected() && accepted.size() > known);
            } else {
                until(() -> foreigner.last == ConnectionEventType.REJECTED);
                assertEquals(known, accepted.size(), what);
            }
            goOn();
        }
    }
}
