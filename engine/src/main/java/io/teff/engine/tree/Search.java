package io.teff.engine.tree;

/** What to search in a node. */
enum Search {
    /** The last entry whose key is at most the key. */
    FLOOR,
    /** The last entry whose key is below the key. */
    BELOW,
    /** In front of all entries. */
    START,
    /** The last entry of all. */
    END;

    /** Whether a key that compares so with an entry's has the entry on its left. */
    boolean isBehind(int compared) {
        return this == FLOOR ? compared >= 0 : compared > 0;
    }
}
