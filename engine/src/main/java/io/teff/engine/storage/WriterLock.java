package io.teff.engine.storage;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock of a collection's writers. Unlocking ends the group of changes made under the lock first, so no other writer
 * builds on a change that is not in the journal.
 */
public final class WriterLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial")                               // locks are not serialized
    private final CollectionChunks chunks;

    /**
     * Creates a free lock.
     *
     * @param chunks chunk operations of the store
     */
    public WriterLock(CollectionChunks chunks) {
        this.chunks = chunks;
    }

    @Override
    public void unlock() {
        if (unlockOnly()) {
            chunks.done();
        }
    }

    /**
     * Unlocks like {@link #unlock}, but does not wait until the changes are durable.
     *
     * @return whether there were changes; a later {@link CollectionChunks#done} of the thread waits for them
     */
    public boolean unlockOnly() {
        try {
            return chunks.endGroup();
        } finally {
            super.unlock();
        }
    }
}
