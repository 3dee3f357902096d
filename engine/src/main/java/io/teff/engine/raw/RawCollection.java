package io.teff.engine.raw;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.journal.Journal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue, a list or a sorted map of bytes, of which one thread at a time uses the content. Thread-safe.
 *
 * <p>All methods throw {@link IllegalStateException} after the collection was dropped, {@link
 * io.teff.engine.error.ZoneDroppedException} after its zone was dropped.
 */
public interface RawCollection {
    /** {@return the CID of the collection's root, which never changes} */
    long root();

    /**
     * Returns the content, for use inside of {@link #read} and {@link #change} only.
     *
     * @return a {@link io.teff.engine.collect.ChunkQueue} that is {@link QueuePlaces}, a {@link
     *     io.teff.engine.collect.ChunkList}, or a {@link io.teff.engine.collect.ChunkSortedMap} of keys of the codec;
     *     elements and values are arrays of bytes
     */
    ChunkCollection content();

    /** {@return chunks beside the collection that a change changes in its group; for use inside of {@link #change}} */
    RawGroup group();

    /** {@return the codec of the keys of a sorted map; null for other collections} */
    @Nullable Codec<Object> keys();

    /**
     * Reads the content. No change is under way meanwhile: what the reader sees is in the journal.
     *
     * @param <T> type of the result
     * @param reader called once
     * @return the result of the reader
     */
    <T> T read(Supplier<T> reader);

    /**
     * Changes the content. The journal gets all chunks that the change changes as one group, if a record has room for
     * these chunks.
     *
     * @param change called once
     * @param journal records the change in place of the store's journal, and passes each call on to it; null for the
     *     store's journal
     * @throws io.teff.engine.error.StoreException if the journal accepts no changes now, or there is no memory: nothing
     *     was changed then
     */
    void change(RawStep change, @Nullable Journal journal);
}
