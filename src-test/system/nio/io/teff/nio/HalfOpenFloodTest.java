package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostileNodes;
import io.teff.test.net.HostilePeer;
import io.teff.test.net.Usage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: many thousands of links without a greeting are limited; honest nodes continue in the meantime, and nothing is
 * left behind.
 *
 * <p>Method: plain sockets that send a part of a HELLO and wait, one after the other. The test closes its side of links
 * that were cut off, so that it needs no more descriptors than most systems allow.
 */
@FullTier("ten thousand links; AgentsHostileTest and HostileTest limit a hundred half-open ones")
@Tag("system")
final class HalfOpenFloodTest {
    private static final int ALL = Integer.getInteger("teff.floods", 10_000);
    private static final int KEPT_MAX = 256;
    /** Sockets of the test: those of kept links, and some that are being cut off. */
    private static final int OPEN_MAX = KEPT_MAX + 64;
    private static final int WARM = 2 * OPEN_MAX;
    private static final int LOOK = 500;
    private static final int NID = 50;
    private static final int MIB = 1 << 20;
    private static final long MINUTE = 60_000_000_000L;

    private final Deque<HostilePeer> open = new ArrayDeque<>();

    private static HostilePeer halfOpen(int port, int number) throws IOException {
        final HostilePeer peer = HostilePeer.connect(port);
        final byte[] hello = HostilePeer.hello(NID, 1, 1);
        peer.say(Arrays.copyOf(hello, number % (hello.length + 1)));
        return peer;
    }

    /** Opens links; the node must cut off the oldest ones. */
    private void flood(HostileNodes nodes, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            open.add(halfOpen(nodes.port(), i));
            if (open.size() > OPEN_MAX) {
                try (HostilePeer oldest = open.remove()) {
                    oldest.awaitCut("one of more than " + KEPT_MAX);
                }
            }
            if (i % LOOK == 0) {
                nodes.goOn("half-open links: " + i);
            }
        }
    }

    private void closeAll() throws IOException {
        for (HostilePeer peer : open) {
            peer.close();
        }
        open.clear();
    }

    @Test
    void manyThousandsOfHalfOpenLinks_areLimited() throws IOException {
        try (HostileNodes nodes = new HostileNodes("tcp:127.0.0.1:0", MINUTE, MINUTE)) {
            flood(nodes, WARM);
            closeAll();
            Usage.await(() -> WARM - nodes.victim.stats().linksFailed(), 0, "links that do not end");
            final long memory = Usage.settled();
            final long descriptors = Usage.descriptors();
            flood(nodes, ALL);
            final long kept = Usage.await(() -> WARM + ALL - nodes.victim.stats().linksFailed(), KEPT_MAX, "links");
            assertEquals(KEPT_MAX, kept, "links that may be kept");
            assertTrue(Usage.descriptors() <= descriptors + OPEN_MAX + KEPT_MAX + 2, "descriptors");
            nodes.goOn("while they are kept");
            closeAll();
            final long left = Usage.await(Usage::descriptors, descriptors + 2, "descriptors") - descriptors;
            final long more = Usage.await(Usage::memory, memory + 2 * MIB, "bytes") - memory;
            Usage.await(() -> WARM + ALL - nodes.victim.stats().linksFailed(), 0, "links that do not end");
            nodes.goOn("at the end");
            assertEquals(Set.of(2, 3), nodes.ups);
            System.out.println(String.format(Locale.ROOT, "HalfOpenFloodTest: %,d half-open links, %d descriptors and "
                + "%,d KiB more", ALL, left, more >> 10));
        }
    }
}
