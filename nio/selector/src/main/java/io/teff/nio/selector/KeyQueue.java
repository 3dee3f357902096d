package io.teff.nio.selector;

/** Takes keys whose readiness may have changed. */
interface KeyQueue {
    /** Looks at a key in the next selection, and ends a selection that waits. Any thread. */
    void changed(TeffSelectionKey key);

    /** Looks at a key in the next selection. Any thread. */
    void look(TeffSelectionKey key);

    /** Takes note that a key of the JDK watches other operations from the JDK's next selection on. Any thread. */
    void innerChanged();

    /** Counts the keys whose channels go by UCX. Any thread. */
    void countLinks(int change);
}
