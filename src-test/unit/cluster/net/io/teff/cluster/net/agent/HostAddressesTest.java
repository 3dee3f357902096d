package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice among the addresses of a host. */
final class HostAddressesTest {
    private static final InetAddress A = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress B = InetAddress.ofLiteral("10.0.0.2");
    private static final InetAddress C = InetAddress.ofLiteral("::1");

    private final HostAddresses hosts = new HostAddresses();

    private InetAddress dial(InetAddress... found) {
        hosts.begin();
        return hosts.choose(List.of(found));
    }

    @Test
    void addresses_areDialedInTurn_thenThereIsAPause() {
        assertEquals(A, dial(A, B, C));
        assertTrue(hosts.failed());
        assertEquals(B, dial(A, B, C));
        assertTrue(hosts.failed());
        assertEquals(C, dial(A, B, C));
        assertFalse(hosts.failed(), "each address has failed once");
        assertEquals(A, dial(A, B, C));
    }

    @Test
    void reachedAddress_isDialedFirst_untilItFailsMoreOften() {
        assertEquals(A, dial(A, B));
        hosts.failed();
        assertEquals(B, dial(A, B));
        hosts.reached();
        assertEquals(B, dial(A, B));
        assertFalse(hosts.failed(), "A has failed as often");
        assertEquals(B, dial(A, B));
        assertTrue(hosts.failed());
        assertEquals(A, dial(A, B));
    }

    @Test
    void changedName_countsFromTheNextDialOn() {
        assertEquals(A, dial(A));
        assertFalse(hosts.failed());
        assertEquals(B, dial(A, B), "a new address has no failures");
        hosts.reached();
        assertEquals(C, dial(C), "only addresses of the name are dialed");
        hosts.failed();
        assertEquals(A, dial(C, A), "a failure of an address that was gone is forgotten");
    }

    @Test
    void stay_dialsTheSameAddressOnce() {
        assertEquals(A, dial(A, B));
        hosts.failed();
        assertEquals(B, dial(A, B));
        hosts.stay();
        assertEquals(B, dial(A, B), "another port of the same host");
        assertTrue(hosts.stepNs(false) < Long.MAX_VALUE);
        hosts.failed();
        assertEquals(A, dial(A, B));
    }

    @Test
    void addressWithoutName_hasNoLimitAndNoNext() {
        hosts.begin();
        assertEquals(Long.MAX_VALUE, hosts.stepNs(false));
        assertFalse(hosts.failed());
        dial(A);
        assertEquals(Long.MAX_VALUE, hosts.stepNs(true), "there is no other address to dial");
    }

    @Test
    void step_doublesWithFailures() {
        for (int round = 0; round < 8; round++) {
            for (InetAddress address : List.of(A, B)) {
                assertEquals(address, dial(A, B));
                final long stepNs = HostAddresses.STEP_NS << Math.min(round, HostAddresses.FAILURES_MAX);
                assertEquals(stepNs, hosts.stepNs(false));
                assertTrue(hosts.stepNs(true) > stepNs, "a greeting takes longer");
                hosts.failed();
            }
        }
    }

    /** In whatever order the resolver names the addresses, the only good one is dialed within a round. */
    @Test
    void anyOrderOfAnswers_goodAddressIsDialedWithinARound() {
        for (long seed = 0; seed < 500; seed++) {
            final Random random = new Random(seed);
            final HostAddresses its = new HostAddresses();
            final List<InetAddress> found = new ArrayList<>(IntStream.rangeClosed(1, 1 + random.nextInt(9))
                .mapToObj(i -> InetAddress.ofLiteral("10.0.1." + i)).toList());
            final InetAddress good = found.get(random.nextInt(found.size()));
            for (int links = 0; links < 3; links++) {
                final Set<InetAddress> dialed = new HashSet<>();
                InetAddress last = null;
                while (!good.equals(last)) {
                    Collections.shuffle(found, random);
                    its.begin();
                    last = its.choose(found);
                    final boolean isNew = dialed.add(last);
                    assertTrue(isNew, "reproduce: -Dseed=" + seed);
                    if (!good.equals(last)) {
                        assertTrue(its.failed(), "reproduce: -Dseed=" + seed);
                    }
                }
                its.reached();
                assertTrue(links == 0 || dialed.size() == 1, "the good one is remembered; reproduce: -Dseed=" + seed);
            }
        }
    }
}
