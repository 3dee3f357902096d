package io.teff.engine.storage;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock of a collection's writers. Giving it back ends the group of changes that was made under it, so nobody builds
 * on a change that is not kept.
 */
public final class WriterLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial")                               // nobody writes a lock
    private final CollectionChunks nodes;

    /**
     * Makes a free one.
     *
     * @param nodes of the collection
     */
    public WriterLock(CollectionChunks nodes) {
        this.nodes = nodes;
    }

    @Override
    public void unlock() {
        boolean isChanged = false;
        try {
            isChanged = nodes.endGroup();
        } finally {
            super.unlock();
        }
        if (isChanged) {
            nodes.done();
        }
    }
}
