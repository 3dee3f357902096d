package io.teff.cluster.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterForecast;
import io.teff.cluster.admin.ClusterForecast.Sizes;
import io.teff.test.kit.tier.FullTier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Forecasts beside published figures and beside figures that were measured with this store, each within a fifth.
 *
 * <p>Published: Beineke, Nothaas, Schöttner, Fast Recovery of DXRAM, 2017 (one server with 5 x 10^8 chunks of 64 bytes,
 * 72 backup servers, SSDs of 256 MB/s: just under 2 s, and 500 ms for a zone). Ongaro and others, Fast Crash Recovery
 * in RAMCloud, 2011 (35 GB, 60 nodes with two SSDs each: 1.6 s). Cidon and others, Copysets, 2013 (5,000 nodes, three
 * copies, 1 % lost: 0.15 %). Measured: decision 0030.
 */
class DeathSimulationTest {
    private static final double MEGA = 1e6;
    private static final double FIFTH = 0.2;

    private static ClusterForecast forecast(Sizes sizes) {
        ClusterForecast forecast = ClusterForecast.of(sizes);
        System.out.println(forecast);
        return forecast;
    }

    private static void assertNear(double expected, double found, String what) {
        assertTrue(Math.abs(found - expected) <= FIFTH * expected, what + ": expected " + expected + ", found "
            + found);
    }

    /** The restore rate is that of one zone of 3.5 M chunks in 500 ms; reading the disk is the slower part. */
    @Test
    void recoveryOfDxram_isThePublishedOne() {
        ClusterForecast dxram = forecast(Sizes.of(73, 3, 256 * MEGA, 625 * MEGA, 500_000_000).withChunks(64, 7e6)
            .withDeaths(0.05, 8_766, 0.01).withPlaces(0, 0));
        assertEquals(72, dxram.restorers());
        assertNear(1.9, dxram.recoveryS(), "seconds");
    }

    /** Objects of 1 KiB; a master of RAMCloud takes about 300 ms to notice the end of a server. */
    @Test
    void recoveryOfRamCloud_isThePublishedOne() {
        ClusterForecast ramCloud = forecast(Sizes.of(61, 3, 2 * 270 * MEGA, 800 * MEGA, 35_000_000)
            .withChunks(1_000, 7e6).withDeaths(0.3, 8_766, 0.01).withPlaces(0, 0));
        assertNear(1.6, ramCloud.recoveryS(), "seconds");
    }

    /** Four peers share two processors, so that each of three restores 1.5 million chunks a second. */
    @Test
    void recoveriesMeasuredHere_areForecast() {
        Sizes sizes = Sizes.of(4, 2, 1_000 * MEGA, 1_000 * MEGA, 4_000_000).withChunks(64, 1.5e6);
        double attested = forecast(sizes).recoveryS();
        assertNear(1.064, attested, "median of a day");
        assertNear(1.125, attested, "median of another day");
        assertNear(1.735, forecast(sizes.withDeaths(0.9, 8_766, 0.01)).recoveryS(), "by the lease alone");
    }

    @Test
    void outage_ofCopysets_isThePublishedOne() {
        int nodes = 5_000;
        List<int[]> copysets = new ArrayList<>();
        for (int i = 0; i + 2 < nodes; i += 3) {
            copysets.add(new int[] {i, i + 1, i + 2});
        }
        double part = new Outage(nodes, copysets).lossPart(nodes / 100, 100_000, new SplittableRandom(7));
        assertNear(0.0015, part, "loss by an outage of a hundredth");
    }

    /** About 20 peers share zones with a peer, restore its zones, and an outage loses a zone far less often. */
    @Test
    @FullTier("20 seconds: 12,000 zones are placed; racks_haveTheCopiesOfAZoneApart has the placement of 30 peers")
    void copysets_ofThePlacement_loseAZoneLessOftenThanRandomOnes_andStillRestoreInParallel() {
        ClusterForecast few = forecast(Sizes.of(300, 2, 500 * MEGA, 1_200 * MEGA, 100_000_000)
            .withDeaths(0.05, 8_766, 0.03).withPlaces(20, 0));
        assertTrue(few.restorers() >= 16, few::toString);
        assertTrue(few.groups() * 4 < few.groupsRandom(), few::toString);
        assertTrue(few.lossByOutage() * 3 < few.lossRandom(), few::toString);
    }

    @Test
    void racks_haveTheCopiesOfAZoneApart() {
        ClusterForecast racks = forecast(Sizes.of(30, 2, 500 * MEGA, 1_200 * MEGA, 10_000_000).withPlaces(20, 3));
        assertEquals(0, racks.lossByRack());
        assertEquals(0, forecast(Sizes.of(30, 2, 500 * MEGA, 1_200 * MEGA, 10_000_000).withPlaces(20, 2)).lossByRack(),
            "two racks have a copy each");
        assertEquals(1, forecast(Sizes.of(30, 2, 500 * MEGA, 1_200 * MEGA, 10_000_000).withPlaces(20, 1)).lossByRack());
    }

    @Test
    void outage_ofEverything_losesEverything_andOfNothingNothing() {
        Outage outage = new Outage(6, List.of(new int[] {0, 2, 4}));
        assertEquals(1.0, outage.lossPart(6, 10, new SplittableRandom(1)));
        assertEquals(0.0, outage.lossPart(2, 1_000, new SplittableRandom(1)));
        assertNear(0.05, outage.lossPart(3, 100_000, new SplittableRandom(1)), "one of twenty groups of three");
    }

    /** All peers share the recovery while the cluster has enough zones. */
    @Test
    void peersOfAllSizes_haveAForecast() {
        double before = Double.MAX_VALUE;
        for (int peers : new int[] {4, 10, 100}) {
            ClusterForecast each = forecast(Sizes.of(peers, 2, 500 * MEGA, 1_200 * MEGA, 100_000_000)
                .withPlaces(0, 0));
            assertEquals(peers - 1, each.restorers());
            assertTrue(each.recoveryS() < before, "more peers restore faster");
            assertTrue(each.lossPerYear() > 0 && each.lossPerYear() < 1e-3, each::toString);
            before = each.recoveryS();
        }
    }

    @Test
    @FullTier("20 seconds: 60,000 zones are placed; peersOfAllSizes_haveAForecast has up to 100 peers")
    void manyPeers_areLimitedByTheNumberOfZones() {
        ClusterForecast many = forecast(Sizes.of(10_000, 2, 500 * MEGA, 1_200 * MEGA, 100_000_000).withPlaces(0, 0));
        assertEquals(60_000, many.zones(), "65,533 zones are all that a cluster has");
        assertEquals(6, many.restorers());
    }
}
