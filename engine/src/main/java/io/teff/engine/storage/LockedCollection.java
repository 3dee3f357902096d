package io.teff.engine.storage;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.journal.Journal;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawGroup;
import io.teff.engine.raw.RawStep;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A collection under one lock, whose changes are one group each.
 *
 * <p>The collection ends a group of changes at each release of its own locks, for other threads may change the same
 * chunks afterwards. Here no other thread can, so the group is kept open until the end of the change. A change is in
 * memory before it is in the journal; readers take the lock, too, so that they see nothing that the journal does not
 * have.
 */
public final class LockedCollection implements RawCollection {
    private final CollectionChunks chunks;
    private final RootedCollection content;
    private final @Nullable Codec<Object> keys;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Puts a collection under a lock.
     *
     * @param chunks chunk operations of the zone, as the collection has them
     * @param content the collection, which nothing else uses
     * @param keys codec of the keys of a sorted map, or null
     */
    public LockedCollection(CollectionChunks chunks, RootedCollection content, @Nullable Codec<Object> keys) {
        this.chunks = chunks;
        this.content = content;
        this.keys = keys;
    }

    @Override
    public long root() {
        return content.root();
    }

    @Override
    public ChunkCollection content() {
        return content;
    }

    @Override
    public RawGroup group() {
        return new CollectionGroup(chunks);
    }

    @Override
    public @Nullable Codec<Object> keys() {
        return keys;
    }

    @Override
    public <T> T read(Supplier<T> reader) {
        lock.lock();
        try {
            return reader.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void change(RawStep change, @Nullable Journal journal) {
        chunks.begin(change.mayAdd());
        lock.lock();
        try {
            try {
                runInGroup(change, journal);
            } finally {
                change.recorded();
            }
        } finally {
            lock.unlock();
            chunks.changed();
        }
        chunks.done();
    }

    private void runInGroup(RawStep change, @Nullable Journal journal) {
        chunks.recordedBy(journal);
        try {
            chunks.openGroup();
            try {
                if (change.run()) {
                    change.changed();
                }
            } finally {
                chunks.closeGroup();
                chunks.endGroup();
            }
        } finally {
            chunks.recordedBy(null);
        }
    }
}
