package io.teff.engine.tree;

/** The target of a search in a node, relative to the search key. */
enum Search {
    /** The last entry whose key is at most the search key. */
    FLOOR,
    /** The last entry whose key is below the search key. */
    BELOW,
    /** The position in front of all entries. */
    START,
    /** The last entry. */
    END;

    /** Returns whether an entry is left of the target, given how the search key compares with the entry's key. */
    boolean isBehind(int compared) {
        return this == FLOOR ? compared >= 0 : compared > 0;
    }
}
