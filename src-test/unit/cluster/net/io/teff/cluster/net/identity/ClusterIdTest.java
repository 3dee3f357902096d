package io.teff.cluster.net.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: two identities fit if, and only if, their nodes may be of one cluster. Method: all pairs of a small set. */
final class ClusterIdTest {
    private static final ClusterId ORDERS = new ClusterId(1, 2, "orders");
    private static final ClusterId BILLING = new ClusterId(1, 3, "billing");
    private static final ClusterId NAMELESS = new ClusterId(4, 0, "");
    private static final ClusterId EXPECTS_ORDERS = ClusterId.expected("orders");
    private static final ClusterId EXPECTS_BILLING = ClusterId.expected("billing");
    private static final List<ClusterId> ALL =
        List.of(ORDERS, BILLING, NAMELESS, EXPECTS_ORDERS, EXPECTS_BILLING, ClusterId.NONE);

    /** The pairs that fit, beside each identity and itself, and each identity and NONE. */
    private static final List<List<ClusterId>> FITTING =
        List.of(List.of(ORDERS, EXPECTS_ORDERS), List.of(BILLING, EXPECTS_BILLING));

    @Test
    void identitiesFit_ifTheirNodesMayBeOfOneCluster() {
        for (ClusterId one : ALL) {
            for (ClusterId two : ALL) {
                final boolean isExpected = one.equals(two) || List.of(one, two).contains(ClusterId.NONE)
                    || FITTING.contains(List.of(one, two)) || FITTING.contains(List.of(two, one));
                assertEquals(isExpected, one.fits(two), () -> one + " and " + two);
                assertEquals(one.equals(two) && one.isKnown(), one.isSame(two), () -> one + " and " + two);
            }
        }
    }

    @Test
    void idsAlone_decideBetweenKnownClusters() {
        assertTrue(ORDERS.isSame(new ClusterId(1, 2, "renamed")));
        assertTrue(ORDERS.fits(new ClusterId(1, 2, "renamed")));
        assertFalse(ORDERS.fits(new ClusterId(2, 2, "orders")));
        assertFalse(ORDERS.isSame(new ClusterId(1, 1, "orders")));
    }

    @Test
    void names_haveOneAlphabetAndLength() {
        assertEquals("A.b_c-9", ClusterId.expected("A.b_c-9").name());
        assertEquals(ClusterId.NAME_MAX, new ClusterId(1, 1, "x".repeat(ClusterId.NAME_MAX)).nameBytes().length);
        for (String wrong : List.of("a b", "ä", "a\0", "a\n", "x".repeat(ClusterId.NAME_MAX + 1))) {
            assertThrows(IllegalArgumentException.class, () -> ClusterId.expected(wrong), wrong);
        }
    }

    @Test
    void textNamesTheCluster() {
        assertEquals("cluster orders (00000000000000010000000000000002)", ORDERS.toString());
        assertEquals("cluster 00000000000000040000000000000000", NAMELESS.toString());
        assertEquals("a cluster named orders", EXPECTS_ORDERS.toString());
        assertEquals("an unknown cluster", ClusterId.NONE.toString());
    }
}
