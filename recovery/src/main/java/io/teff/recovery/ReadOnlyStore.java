package io.teff.recovery;

import io.teff.engine.Store;
import java.util.List;

/**
 * A durable store opened for reading by {@link DurableStore#openReadOnly}. Nothing on the disk is changed, regardless
 * of its state; changes of the store throw a {@link io.teff.engine.error.StoreException} of category DEGRADED.
 * Thread-safe.
 *
 * <p>All chunks are in memory, so the folder is unlocked as soon as the store is open.
 */
public final class ReadOnlyStore implements AutoCloseable {
    private final Store store;
    private final List<DamagedRange> damage;
    private final List<Long> outdatedChunks;

    ReadOnlyStore(Store store, List<DamagedRange> damage, List<Long> outdatedChunks) {
        this.store = store;
        this.damage = damage;
        this.outdatedChunks = outdatedChunks;
    }

    /** {@return the store in memory; closed with this object} */
    public Store store() {
        return store;
    }

    /** {@return parts of files that should be present and could not be read} */
    public List<DamagedRange> damage() {
        return damage;
    }

    /** {@return the chunks that have lost changes behind the damage, as {@link DurableStore#outdatedChunks}} */
    public List<Long> outdatedChunks() {
        return outdatedChunks;
    }

    @Override
    public void close() {
        store.close();
    }
}
