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

    ReadOnlyStore(Store store, List<DamagedRange> damage) {
        this.store = store;
        this.damage = damage;
    }

    /** {@return the store in memory; closed with this object} */
    public Store store() {
        return store;
    }

    /** {@return parts of files that should be present and could not be read} */
    public List<DamagedRange> damage() {
        return damage;
    }

    @Override
    public void close() {
        store.close();
    }
}
