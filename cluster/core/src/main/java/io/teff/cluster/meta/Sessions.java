package io.teff.cluster.meta;

import java.util.List;

/**
 * The sessions of clients. The next number rises for ever, so that a session that is neither open nor to come has
 * ended.
 *
 * @param version version of the tables in which a session was last opened or ended
 * @param next number of the next session
 * @param open numbers of the open ones, in ascending order
 */
public record Sessions(long version, int next, List<Integer> open) {
    /** Copies the list. */
    public Sessions {
        open = List.copyOf(open);
    }
}
