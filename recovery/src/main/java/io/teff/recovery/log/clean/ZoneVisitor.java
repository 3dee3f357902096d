package io.teff.recovery.log.clean;

import io.teff.recovery.format.EntryVisitor;

/** Receives all entries of a zone, and then knows the live entries. */
public interface ZoneVisitor extends EntryVisitor {
    /**
     * The live entries of a zone.
     *
     * @param bytes of the live entries
     * @param highestIndex the highest index that has an entry, or -1
     */
    record Live(long bytes, long highestIndex) {}

    /** {@return the live entries among those received; links of a chain live while it may become complete} */
    Live live();
}
