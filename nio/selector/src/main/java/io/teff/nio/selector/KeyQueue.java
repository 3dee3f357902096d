package io.teff.nio.selector;

/** Takes keys whose readiness may have changed. */
interface KeyQueue {
    /** Looks at a key in the next selection, and ends a selection that waits. Any thread. */
    void changed(TeffSelectionKey key);

    /** Looks at a key in the next selection. Any thread. */
    void look(TeffSelectionKey key);

    /** Counts the keys whose channels go by UCX. Any thread. */
    void countLinks(int change);
}
