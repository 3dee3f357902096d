package io.teff.nio;

import static io.teff.test.net.HostilePeer.FRAGMENT;
import static io.teff.test.net.HostilePeer.LAST;
import static io.teff.test.net.HostilePeer.REQUEST;
import static io.teff.test.net.HostilePeer.RESPONSE;
import static io.teff.test.net.HostilePeer.SKIPPED;

import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostileNodes;
import io.teff.test.net.HostilePeer;
import io.teff.test.net.Mutation;
import io.teff.test.net.Usage;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: for any frames of an authenticated peer, its link continues or ends by a refusal; no other exception is thrown,
 * honest nodes continue, and no memory leaks.
 *
 * <p>Method: links of a client without classes of the product, one after the other, each with frames of which a third
 * is changed randomly, on a new session or on an existing one. {@code -Dteff.fuzz.live=N} for more frames, {@code
 * -Dteff.fuzz.seed=S} and {@code -Dteff.fuzz.live=1} to repeat one link.
 */
@FullTier("20,000 frames over thousands of links; FuzzTest changes the same frames in front of the decoders")
@Tag("system")
final class LiveFuzzTest {
    private static final long FRAMES = Form.size("teff.fuzz.live", 20_000L, 200_000L);
    private static final long SEED = Long.getLong("teff.fuzz.seed", 1);
    private static final long MINUTE = 60_000_000_000L;
    private static final int MIB = 1 << 20;
    private static final int FAILED = 4;
    private static final int FIRST_NID = 50;
    private static final int NIDS = 16;
    /** Number of links after which all code has run and the number of sessions is at its maximum. */
    private static final int WARM = 500;
    /** Number of links between two waits for the honest nodes. */
    private static final int LOOK = 64;
    private static final int[] KINDS = {0, REQUEST, RESPONSE, RESPONSE | FAILED, FRAGMENT, FRAGMENT | LAST,
        REQUEST | FRAGMENT, SKIPPED, FRAGMENT | LAST | SKIPPED};
    /** Types with a handler, a type without one, and an invalid type. */
    private static final int[] TYPES = {0, 1, 2, 7, 8, 10};

    private long links;
    private long changed;
    private long resumed;

    // ---- what is said ----

    private static byte[] frame(SplittableRandom random, long position) {
        if (random.nextInt(6) == 0) {
            return random.nextInt(10) == 0 ? HostilePeer.closing(random.nextInt(3))
                : HostilePeer.progress(random.nextInt(3) * 8L, random.nextLong(MIB, 1L << 40));
        }
        final int flags = KINDS[random.nextInt(KINDS.length)];
        final boolean isSkipped = (flags & SKIPPED) != 0;
        final int least = (flags & (FRAGMENT | LAST)) == FRAGMENT ? 1 << 10 : 0;
        final byte[] frame = HostilePeer.frame(position, TYPES[random.nextInt(TYPES.length)],
            isSkipped ? 0 : random.nextInt(3), flags, random.nextInt(5),
            least + (isSkipped ? 0 : random.nextInt(random.nextInt(50) == 0 ? 100_000 : 100)));
        return random.nextInt(4) == 0 ? HostilePeer.checked(frame) : frame;
    }

    private byte[] stream(SplittableRandom random, long position) {
        byte[] all = new byte[0];
        byte[] before = new byte[0];
        long next = position;
        for (int count = random.nextInt(1, 16); count > 0; count--) {
            final byte[] right = frame(random, next);
            next += (right[11] & HostilePeer.CONTROL) == 0 ? right.length : 0;
            final byte[] said = random.nextBoolean() ? Mutation.of(random, right, before) : right;
            changed += Arrays.equals(said, right) ? 0 : 1;
            before = right;
            all = HostilePeer.join(all, said);
        }
        return all;
    }

    // ---- links ----

    private void link(int port, SplittableRandom random, int nid, boolean isToResume) throws IOException {
        links++;
        try (HostilePeer peer = HostilePeer.connect(port).greet(nid, 1, random.nextInt(2))) {
            final boolean goesOn = peer.prove(nid, 0, MIB, isToResume ? 1 : 0);
            resumed += goesOn ? 1 : 0;
            peer.say(stream(random, goesOn ? peer.welcomed(40) : 0));
            peer.fallSilent();
            peer.awaitCut("link of node " + nid);
        }
    }

    private void run(HostileNodes nodes, long seed) {
        final String what = "seed " + seed + "; reproduce: mvn -pl nio -am test -Dtest=LiveFuzzTest -Dteff.fuzz.seed="
            + seed + " -Dteff.fuzz.live=1";
        final SplittableRandom random = new SplittableRandom(seed);
        final int nid = FIRST_NID + (int) (seed % NIDS);
        try {
            link(nodes.port(), random, nid, false);
            if (random.nextInt(3) == 0) {
                link(nodes.port(), random, nid, true);
            }
            nodes.check(what);
            if (seed % LOOK == 0) {
                nodes.goOn(what);
            }
        } catch (AssertionError | IOException | RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /** Ends all sessions of peers. */
    private static void endSessions(HostileNodes nodes) throws IOException {
        for (int nid = FIRST_NID; nid < FIRST_NID + NIDS; nid++) {
            try (HostilePeer peer = HostilePeer.proved(nodes.port(), nid)) {
                peer.say(HostilePeer.closing(0));
                peer.awaitCut("goodbye");
            }
        }
    }

    @Test
    void changedFrames_endTheirLinkOnly() throws IOException {
        try (HostileNodes nodes = new HostileNodes("tcp:127.0.0.1:0", MINUTE, MINUTE)) {
            nodes.slow.countDown();                             // a changed type must not keep handlers
            long seed = SEED;
            while (links < WARM && changed < FRAMES) {
                run(nodes, seed++);
            }
            endSessions(nodes);
            nodes.goOn("at first");
            final long memory = Usage.settled();
            final long descriptors = Usage.descriptors();
            while (changed < FRAMES) {
                run(nodes, seed++);
            }
            nodes.goOn("at the end");
            endSessions(nodes);
            Usage.await(Usage::descriptors, descriptors + 2, "descriptors");
            final long more = Usage.await(Usage::memory, memory + 2 * MIB, "bytes") - memory;
            System.out.println(String.format(Locale.ROOT, "LiveFuzzTest: seed %d, %,d changed frames over %,d links, "
                + "%,d of them in sessions that went on, %,d messages unhandled, %,d unreadable, %,d KiB more memory",
                SEED, changed, links, resumed, nodes.unhandled.get(), nodes.failures.get(), more >> 10));
        }
    }
}
