package io.teff.cluster.archive;

import java.io.IOException;

/**
 * The claim of a restore to its cluster: how far the restore is, and whose process it is. The cluster keeps the claim,
 * so another process can continue the restore.
 */
public interface RestoreClaim {
    /** No zone was begun. */
    int NONE = 0;

    /**
     * {@return the zone that a stopped process began last, or {@link #NONE}; zones with lower numbers are filled}
     */
    int begun();

    /**
     * Notes that a zone is being filled.
     *
     * @param zone number of the zone
     * @throws IOException if another process has continued this restore
     */
    void begin(int zone) throws IOException;
}
