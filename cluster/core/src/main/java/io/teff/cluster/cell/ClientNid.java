package io.teff.cluster.cell;

import java.util.random.RandomGenerator;

/**
 * NIDs of clients, and of nodes that have no NID yet. Such a NID is drawn by lot for each network, and names nothing
 * beyond the network.
 */
public final class ClientNid {
    private static final int MIN = 0xF000;
    private static final int END = 0xFFF0;

    private ClientNid() {}

    /**
     * Draws a NID.
     *
     * @param chance makes the choice
     * @return a NID from 0xF000 to 0xFFEF
     */
    public static int draw(RandomGenerator chance) {
        return chance.nextInt(MIN, END);
    }

    /**
     * {@return whether a NID is drawn by lot}
     *
     * @param nid any number
     */
    public static boolean isDrawn(int nid) {
        return nid >= MIN && nid < END;
    }
}
