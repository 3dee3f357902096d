package io.teff.engine.raw;

import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.journal.Journal;
import org.jspecify.annotations.Nullable;

/**
 * A hash map of bytes. Keys are equal if their bytes are. Thread-safe.
 *
 * <p>All methods throw {@link IllegalStateException} after the map was dropped, {@link
 * io.teff.engine.error.ZoneDroppedException} after its zone was dropped.
 */
public interface RawMap extends ChunkCollection {
    /** {@return the CID of the map's root, which never changes} */
    long root();

    /** {@return the length of each key in bytes, or -1 if the length varies} */
    int keyBytes();

    /**
     * Passes the value of a key to a reader. No change of the key is under way meanwhile: what the reader sees is in
     * the journal, as the last change of one of the chunks that the reader is told.
     *
     * @param key its bytes
     * @param reader called once
     */
    void read(byte[] key, RawRead reader);

    /**
     * Changes the entry of a key: calls the change once, while no other thread reads or changes the entry.
     *
     * @param key its bytes
     * @param change decides what happens
     * @param journal records the change in place of the store's journal, and passes each call on to it; null for the
     *     store's journal
     * @throws io.teff.engine.error.StoreException if the journal accepts no changes now, or there is no memory: nothing
     *     was changed then
     */
    void change(byte[] key, RawChange change, @Nullable Journal journal);

    /**
     * Passes entries to a visitor, in an order that does not depend on changes. A scan from place 0, continued at each
     * result until the result is 0, shows each entry that exists throughout exactly once, and no key twice.
     *
     * @param place where to begin: 0, or the result of an earlier call, also of an earlier owner of the zone
     * @param visitor takes entries until it has no room
     * @return where the next call begins, or 0 at the end
     */
    long scan(long place, RawVisitor visitor);
}
