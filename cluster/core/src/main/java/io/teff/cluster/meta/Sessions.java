package io.teff.cluster.meta;

import java.util.List;

/**
 * The sessions of clients. The next number rises for ever. So a session has ended if its number is below the next
 * number and not open.
 *
 * @param version version of the tables in which a session was last opened or ended
 * @param next number of the next session
 * @param open numbers of the open sessions, in ascending order
 */
public record Sessions(long version, int next, List<Integer> open) {
    /** Copies the list. */
    public Sessions {
        open = List.copyOf(open);
    }
}
