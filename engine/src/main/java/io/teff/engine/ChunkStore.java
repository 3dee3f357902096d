package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.Limits;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/**
 * A store of chunks, wherever its memory is: in this process ({@link Store}), or in other processes that are reached by
 * messages.
 *
 * <p>A <b>chunk</b> is a string of bytes; a <b>CID</b> ({@link Cid}) names it, a {@code long} that is issued once and
 * never again. Each operation on a chunk is atomic. Its outcome is a return value: a length, a CID, or a negative
 * {@link io.teff.engine.error.Status}. {@link #chunks()} is the form with exceptions and {@code Optional}.
 *
 * <p>This interface has no operation that needs a chunk's memory in this process: those are in {@link Store#views()}
 * and
 * {@link Store#pins()}. A {@link MemorySegment} that is passed here is the caller's own memory.
 *
 * <p><b>Threads.</b> All methods may be called by any number of threads at the same time. What a thread did before it
 * changed a chunk is visible to a thread that reads that change. <b>Close.</b> Operations on a closed store throw
 * {@link io.teff.engine.error.StoreClosedException}.
 */
public interface ChunkStore extends AutoCloseable {
    /** {@return whether the store is open} */
    boolean isOpen();

    /**
     * Makes a chunk.
     *
     * @param source its content
     * @return its CID, or FULL
     */
    long create(byte[] source);

    /**
     * Makes a chunk.
     *
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @return its CID, or FULL
     */
    long create(byte[] source, int offset, int length);

    /**
     * Makes a chunk.
     *
     * @param source its content
     * @param offset first byte
     * @param length bytes
     * @return its CID, or FULL
     */
    long create(MemorySegment source, long offset, long length);

    /**
     * Makes a chunk of zeros.
     *
     * @param length bytes, 0 to {@link Limits#CHUNK_BYTES_MAX}
     * @return its CID, or FULL
     */
    long create(long length);

    /**
     * Makes a chunk that never changes; it can be removed.
     *
     * @param source its content
     * @return its CID, or FULL
     */
    long createReadOnly(byte[] source);

    /**
     * Copies a chunk. What is behind the chunk in the target may be overwritten if the chunk changes meanwhile.
     *
     * @param cid the chunk
     * @param target where to, from index 0
     * @return its length, or ABSENT, LOCKED, TOO_SMALL
     */
    int get(long cid, byte[] target);

    /**
     * Copies a chunk.
     *
     * @param cid the chunk
     * @param target where to
     * @param offset first index
     * @return its length, or ABSENT, LOCKED, TOO_SMALL
     */
    int get(long cid, byte[] target, int offset);

    /**
     * Copies a chunk.
     *
     * @param cid the chunk
     * @param target where to
     * @param offset first byte
     * @return its length, or ABSENT, LOCKED, TOO_SMALL
     */
    long get(long cid, MemorySegment target, long offset);

    /**
     * Copies a part of a chunk.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param target where to
     * @param offset first index
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, OUT_OF_RANGE
     */
    int getBytes(long cid, long chunkOffset, byte[] target, int offset, int length);

    /**
     * Copies a part of a chunk.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param target where to
     * @param offset first byte
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, OUT_OF_RANGE
     */
    int getBytes(long cid, long chunkOffset, MemorySegment target, long offset, long length);

    /**
     * Tells whether there is a chunk. Does not wait for locks.
     *
     * @param cid any CID
     * @return whether it names a chunk now
     */
    boolean exists(long cid);

    /**
     * The length of a chunk. Does not wait for locks.
     *
     * @param cid the chunk
     * @return bytes, or ABSENT
     */
    long size(long cid);

    /**
     * Replaces a chunk's content, whatever its length was; readers see the old or the new one.
     *
     * @param cid the chunk
     * @param source its new content
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, byte[] source);

    /**
     * Replaces a chunk's content.
     *
     * @param cid the chunk
     * @param source its new content
     * @param offset first index
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, byte[] source, int offset, int length);

    /**
     * Replaces a chunk's content.
     *
     * @param cid the chunk
     * @param source its new content
     * @param offset first byte
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, MemorySegment source, long offset, long length);

    /**
     * Writes a part of a chunk; its length stays.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param source where from
     * @param offset first index
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY, OUT_OF_RANGE
     */
    int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length);

    /**
     * Writes a part of a chunk; its length stays.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param source where from
     * @param offset first byte
     * @param length bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY, OUT_OF_RANGE
     */
    int putBytes(long cid, long chunkOffset, MemorySegment source, long offset, long length);

    /**
     * Changes a chunk's length; the front is kept, what is new is zero.
     *
     * @param cid the chunk
     * @param length bytes, 0 to {@link Limits#CHUNK_BYTES_MAX}
     * @return OK, or ABSENT, LOCKED, READ_ONLY, PINNED, FULL
     */
    int resize(long cid, long length);

    /**
     * Removes a chunk; its CID is absent for ever.
     *
     * @param cid the chunk
     * @return its length, or ABSENT, LOCKED, PINNED
     */
    long remove(long cid);

    /**
     * Makes a chunk read-only for ever; it can still be removed.
     *
     * @param cid the chunk
     * @return OK, also if it was before, or ABSENT, LOCKED
     */
    int seal(long cid);

    /** {@return the comfortable form: arrays, Optional, exceptions} */
    Chunks chunks();

    /**
     * Opens the hash map of that name, or makes an empty one.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name any
     * @param keys what turns keys into bytes
     * @param values what turns values into bytes
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the name is that of something else, or of a map with other codecs
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values);

    /**
     * Opens the hash map of that name, or makes an empty one, with codecs that are derived from the types.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name any
     * @param keys a record, class, enum, box, String or array
     * @param values the same
     * @return the map
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type, naming the field
     */
    <K, V> ChunkMap<K, V> map(String name, Class<K> keys, Class<V> values);

    /**
     * Opens the hash map of that name whose keys are numbers, or makes an empty one.
     *
     * @param <V> type of the values
     * @param name any
     * @param values what turns values into bytes
     * @return the map
     */
    <V> ChunkLongMap<V> longMap(String name, Codec<V> values);

    /**
     * Opens the sorted map of that name, or makes an empty one. The codec of its keys is {@link Codecs#LONG}, {@link
     * Codecs#INT} or {@link Codecs#STRING}, in natural order, or {@link Codecs#BYTES}, in that of unsigned bytes.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name any
     * @param keys one of these codecs
     * @param values what turns values into bytes
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the codec of the keys is another one, or as {@link #map} says
     */
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values);

    /**
     * Opens the sorted map of that name, or makes an empty one.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name any
     * @param keys what turns keys into bytes
     * @param values what turns values into bytes
     * @param comparator says the order; the same one each time the map is opened
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the map was made without a comparator, or as {@link #map} says
     */
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
        Comparator<? super K> comparator);

    /**
     * Opens the sorted map of that name whose keys are numbers, in their order, or makes an empty one.
     *
     * @param <V> type of the values
     * @param name any
     * @param values what turns values into bytes
     * @return the map, the same object as that of {@link #sortedMap(String, Codec, Codec)} with {@link Codecs#LONG}
     * @throws IllegalArgumentException if the map was made with a comparator, or as {@link #map} says
     */
    <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values);

    /**
     * Opens the hash set of that name, or makes an empty one.
     *
     * @param <E> type of the elements
     * @param name any
     * @param elements what turns elements into bytes
     * @return the set
     */
    <E> ChunkSet<E> set(String name, Codec<E> elements);

    /**
     * Opens the list of that name, or makes an empty one.
     *
     * @param <E> type of the elements
     * @param name any
     * @param elements what turns elements into bytes
     * @return the list
     */
    <E> ChunkList<E> list(String name, Codec<E> elements);

    /**
     * Opens the queue of that name, or makes an empty one.
     *
     * @param <E> type of the elements
     * @param name any
     * @param elements what turns elements into bytes
     * @return the queue
     */
    <E> ChunkQueue<E> queue(String name, Codec<E> elements);

    // ---- parts ----

    /** {@return operations on many chunks at once} */
    BatchOperations batch();

    /** {@return single values inside chunks} */
    FieldOperations fields();

    /** {@return read and write locks} */
    LockOperations locks();

    /** {@return reserved and given CIDs, and visits of all} */
    IdOperations ids();

    /** {@return names, by which collections and chunks are found again} */
    NameOperations names();

    /** Ends the use of the store; idempotent. */
    @Override
    void close();
}
