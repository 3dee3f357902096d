package io.teff.cluster.archive;

import java.io.IOException;

/** The parts of the sorted maps of a cluster, whose splits are held while a backup is taken. For one thread. */
public interface HeldSplits {
    /**
     * Has all parts hold their splits, and ends the slices that are on their way.
     *
     * @return the bounds of all parts
     * @throws IOException if an owner of a part does not answer for a minute
     */
    PartBounds hold() throws IOException;

    /** Holds the splits for a further time, if much of the time is over. Parts that do not answer are left out. */
    void renew();
}
