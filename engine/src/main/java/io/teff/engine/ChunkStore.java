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
import io.teff.engine.collect.NamedComparator;
import io.teff.engine.compute.Compute;
import io.teff.engine.config.Limits;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/**
 * A store of chunks. The memory of the chunks is in this process ({@link Store}), or in other processes, which an
 * implementation reaches by messages.
 *
 * <p>A <b>chunk</b> is a string of bytes; a <b>CID</b> ({@link Cid}) names it, a {@code long} that is issued only once.
 * Each operation on a chunk is atomic. Its result is a return value: a length, a CID, or a negative
 * {@link io.teff.engine.error.Status}. {@link #chunks()} has the same operations with exceptions and {@code Optional}.
 *
 * <p>No operation of this interface needs a chunk's memory in this process: those operations are in
 * {@link Store#views()} and {@link Store#pins()}. A {@link MemorySegment} argument is memory of the caller.
 *
 * <p><b>Threads.</b> All methods may be called by any number of threads at the same time. A change of a chunk
 * happens-before every read that sees it. <b>Locks.</b> An operation on a chunk that another thread has locked waits up
 * to {@link io.teff.engine.config.StoreConfig#lockTimeoutNs()}, and then returns LOCKED. The locks of the calling
 * thread do not delay its own operations.
 *
 * <p><b>Errors.</b> A range outside the given array or segment throws {@link IndexOutOfBoundsException}; a length of a
 * chunk outside 0 to {@link Limits#CHUNK_BYTES_MAX} throws {@link IllegalArgumentException}; both before anything is
 * changed. Operations on a closed store throw {@link io.teff.engine.error.StoreClosedException}. Changes of a durable
 * store throw {@link io.teff.engine.error.StoreException} if the log cannot record them, of category DEGRADED while the
 * disk is full or if the store is read-only, FATAL after the log has failed.
 */
public interface ChunkStore extends AutoCloseable {
    /**
     * Opens a store, with all defaults, by the modules that this process has:
     * <table>
     * <caption>Addresses</caption>
     * <tr><th>Address<th>Store<th>Module
     * <tr><td>{@code memory:}<td>an empty {@link Store} in this process<td>io.teff.engine
     * <tr><td>{@code file:PATH}<td>the durable store in a folder, made if there is none<td>io.teff.recovery
     * <tr><td>{@code tcp:HOST:PORT,...}<td>a cluster, by addresses of its superpeers<td>io.teff.cluster, io.teff.nio
     * </table>
     * So one program runs on all of them. The classes of the stores have further settings and operations.
     *
     * @param address names the kind of the store and its place
     * @return the store, which the caller must close
     * @throws IllegalArgumentException if the address has no known form, or if the module is missing: the message names
     *     the module
     * @throws io.teff.engine.error.StoreException as the class of the store when it is opened
     */
    static ChunkStore open(String address) {
        return StoreAddress.open(address);
    }

    /** {@return whether the store is open} */
    boolean isOpen();

    /**
     * Creates a chunk with the content of an array.
     *
     * @param source the content
     * @return CID of the new chunk, or FULL
     */
    long create(byte[] source);

    /**
     * Creates a chunk with the content of a part of an array.
     *
     * @param source array to copy from
     * @param offset first index in the array
     * @param length length of the chunk in bytes
     * @return CID of the new chunk, or FULL
     */
    long create(byte[] source, int offset, int length);

    /**
     * Creates a chunk with the content of a part of a segment.
     *
     * @param source segment to copy from
     * @param offset first byte in the segment
     * @param length length of the chunk in bytes
     * @return CID of the new chunk, or FULL
     */
    long create(MemorySegment source, long offset, long length);

    /**
     * Creates a chunk of zeros.
     *
     * @param length length of the chunk in bytes, 0 to {@link Limits#CHUNK_BYTES_MAX}
     * @return CID of the new chunk, or FULL
     */
    long create(long length);

    /**
     * Creates a read-only chunk. A read-only chunk can still be removed.
     *
     * @param source the content
     * @return CID of the new chunk, or FULL
     */
    long createReadOnly(byte[] source);

    /**
     * Creates a chunk in the zone of another chunk, so that one node keeps both chunks. A store of this JVM has one
     * zone. If the zone of a cluster is full, the chunk is created elsewhere.
     *
     * @param neighbour CID of a chunk, which need not exist
     * @param source the content
     * @return CID of the new chunk, or FULL
     */
    default long createNear(long neighbour, byte[] source) {
        return create(source);
    }

    /**
     * Copies a chunk into an array that is free for it as a whole: bytes of the target beyond the returned length are
     * undefined afterwards. An array of at least 128 bytes makes short chunks of changing lengths faster.
     *
     * @param cid the chunk
     * @param target array to copy to, from index 0 on
     * @return length of the chunk in bytes, or ABSENT, LOCKED, TOO_SMALL
     */
    int get(long cid, byte[] target);

    /**
     * Copies a chunk into a part of an array. Bytes beyond the returned length are kept, unless the chunk changes
     * meanwhile.
     *
     * @param cid the chunk
     * @param target array to copy to
     * @param offset first index in the array
     * @return length of the chunk in bytes, or ABSENT, LOCKED, TOO_SMALL
     */
    int get(long cid, byte[] target, int offset);

    /**
     * Copies a chunk into a segment; see {@link #get(long, byte[], int)}.
     *
     * @param cid the chunk
     * @param target segment to copy to
     * @param offset first byte in the segment
     * @return length of the chunk in bytes, or ABSENT, LOCKED, TOO_SMALL
     */
    long get(long cid, MemorySegment target, long offset);

    /**
     * Copies a part of a chunk into an array.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param target array to copy to
     * @param offset first index in the array
     * @param length number of bytes
     * @return OK, or ABSENT, LOCKED, OUT_OF_RANGE
     */
    int getBytes(long cid, long chunkOffset, byte[] target, int offset, int length);

    /**
     * Copies a part of a chunk into a segment.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param target segment to copy to
     * @param offset first byte in the segment
     * @param length number of bytes
     * @return OK, or ABSENT, LOCKED, OUT_OF_RANGE
     */
    int getBytes(long cid, long chunkOffset, MemorySegment target, long offset, long length);

    /**
     * Returns whether a chunk exists. Does not wait for locks.
     *
     * @param cid any CID
     * @return true if the chunk exists
     */
    boolean exists(long cid);

    /**
     * Returns the length of a chunk. Does not wait for locks.
     *
     * @param cid the chunk
     * @return length in bytes, or ABSENT
     */
    long size(long cid);

    /**
     * Replaces a chunk's content; the new content may have another length. Readers see either the old or the new
     * content.
     *
     * @param cid the chunk
     * @param source the new content
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, byte[] source);

    /**
     * Replaces a chunk's content by a part of an array; see {@link #put(long, byte[])}.
     *
     * @param cid the chunk
     * @param source array to copy from
     * @param offset first index in the array
     * @param length new length of the chunk in bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, byte[] source, int offset, int length);

    /**
     * Replaces a chunk's content by a part of a segment; see {@link #put(long, byte[])}.
     *
     * @param cid the chunk
     * @param source segment to copy from
     * @param offset first byte in the segment
     * @param length new length of the chunk in bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY; FULL or PINNED if the length changes
     */
    int put(long cid, MemorySegment source, long offset, long length);

    /**
     * Overwrites a part of a chunk; the length of the chunk does not change.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param source array to copy from
     * @param offset first index in the array
     * @param length number of bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY, OUT_OF_RANGE
     */
    int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length);

    /**
     * Overwrites a part of a chunk; the length of the chunk does not change.
     *
     * @param cid the chunk
     * @param chunkOffset first byte in the chunk
     * @param source segment to copy from
     * @param offset first byte in the segment
     * @param length number of bytes
     * @return OK, or ABSENT, LOCKED, READ_ONLY, OUT_OF_RANGE
     */
    int putBytes(long cid, long chunkOffset, MemorySegment source, long offset, long length);

    /**
     * Changes a chunk's length. Bytes up to the shorter length are kept, added bytes are zero.
     *
     * @param cid the chunk
     * @param length new length in bytes, 0 to {@link Limits#CHUNK_BYTES_MAX}
     * @return OK, or ABSENT, LOCKED, READ_ONLY, PINNED, FULL
     */
    int resize(long cid, long length);

    /**
     * Removes a chunk. The CID is never issued again.
     *
     * @param cid the chunk
     * @return length of the removed chunk in bytes, or ABSENT, LOCKED, PINNED
     */
    long remove(long cid);

    /**
     * Seals a chunk: makes it permanently read-only. A sealed chunk can still be removed.
     *
     * @param cid the chunk
     * @return OK, also if the chunk was read-only before; or ABSENT, LOCKED
     */
    int seal(long cid);

    /** {@return the operations on single chunks with arrays, exceptions and {@code Optional}} */
    Chunks chunks();

    /**
     * Opens the hash map with a name; creates an empty one if there is none.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys codec of the keys
     * @param values codec of the values
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the name belongs to a chunk, to another kind of collection, or to a map with
     *     other codecs
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values);

    /**
     * Opens the hash map with a name, with codecs derived from the types; creates an empty one if there is none.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys a record, class, enum, box, String or array
     * @param values class of the values, one of the same kinds
     * @return the map
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    <K, V> ChunkMap<K, V> map(String name, Class<K> keys, Class<V> values);

    /**
     * Opens the hash map with a name and keys of type {@code long}; creates an empty one if there is none.
     *
     * @param <V> type of the values
     * @param name name of the map
     * @param values codec of the values
     * @return the map, the same object as {@link #map(String, Codec, Codec)} returns with {@link Codecs#LONG}
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     */
    <V> ChunkLongMap<V> longMap(String name, Codec<V> values);

    /**
     * Opens the hash map with a name and keys of type {@code long}, with a codec derived from the type of its values.
     *
     * @param <V> type of the values
     * @param name name of the map
     * @param values class of the values
     * @return the map, like {@link #longMap(String, Codec)}
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <V> ChunkLongMap<V> longMap(String name, Class<V> values) {
        return longMap(name, Codecs.of(values));
    }

    /**
     * Opens the sorted map with a name; creates an empty one if there is none. The codec of its keys is
     * {@link Codecs#LONG}, {@link Codecs#INT} or {@link Codecs#STRING}, in natural order, or {@link Codecs#BYTES}, in
     * the order of unsigned bytes.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys codec of the keys, one of these four
     * @param values codec of the values
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the codec of the keys is none of the four, or in the cases of
     *     {@link #map(String, Codec, Codec)}
     */
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values);

    /**
     * Opens the sorted map with a name in the natural order of its keys, with codecs derived from the types; creates an
     * empty one if there is none. Keys of the classes {@code Long}, {@code Integer} and {@code String} are in their
     * natural order, byte arrays in the order of unsigned bytes; other keys are ordered as by
     * {@link Comparator#naturalOrder()}.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys class of the keys, which implements {@link Comparable} or is {@code byte[]}
     * @param values class of the values
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the keys have no natural order, or in the cases of
     *     {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Class<K> keys, Class<V> values);

    /**
     * Opens the sorted map with a name, ordered by a comparator; creates an empty one if there is none.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys codec of the keys
     * @param values codec of the values
     * @param comparator order of the keys, the same each time the map is opened; a store that keeps its content on disk
     *     or on other nodes wants a comparator with a name, {@link NamedComparator}
     * @return the map, the same object for each call while the store is open
     * @throws IllegalArgumentException if the map was created without a comparator or has the order of another one, if
     *     the map is new and the store wants a name, or in the cases of {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.error.StoreException of category FATAL if the keys are not in the order of the comparator
     */
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
        Comparator<? super K> comparator);

    /**
     * Opens the sorted map with a name, ordered by a comparator, with codecs derived from the types.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map
     * @param keys class of the keys
     * @param values class of the values
     * @param comparator order of the keys; must be the same each time the map is opened
     * @return the map, like {@link #sortedMap(String, Codec, Codec, Comparator)}
     * @throws IllegalArgumentException like {@link #sortedMap(String, Codec, Codec, Comparator)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <K, V> ChunkSortedMap<K, V> sortedMap(String name, Class<K> keys, Class<V> values,
        Comparator<? super K> comparator) {
        return sortedMap(name, Codecs.of(keys), Codecs.of(values), comparator);
    }

    /**
     * Opens the sorted map with a name and keys of type {@code long} in ascending order; creates an empty one if there
     * is none.
     *
     * @param <V> type of the values
     * @param name name of the map
     * @param values codec of the values
     * @return the map, the same object as {@link #sortedMap(String, Codec, Codec)} returns with {@link Codecs#LONG}
     * @throws IllegalArgumentException if the map was created with a comparator, or in the cases of
     *     {@link #map(String, Codec, Codec)}
     */
    <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values);

    /**
     * Opens the sorted map with a name and keys of type {@code long}, with a codec derived from the type of its values;
     * creates an empty one if there is none.
     *
     * @param <V> type of the values
     * @param name name of the map
     * @param values class of the values
     * @return the map
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <V> ChunkSortedLongMap<V> sortedLongMap(String name, Class<V> values) {
        return sortedLongMap(name, Codecs.of(values));
    }

    /**
     * Opens the hash set with a name; creates an empty one if there is none.
     *
     * @param <E> type of the elements
     * @param name name of the set
     * @param elements codec of the elements
     * @return the set
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     */
    <E> ChunkSet<E> set(String name, Codec<E> elements);

    /**
     * Opens the hash set with a name, with a codec derived from the type of its elements; creates an empty one if there
     * is none.
     *
     * @param <E> type of the elements
     * @param name name of the set
     * @param elements class of the elements
     * @return the set
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <E> ChunkSet<E> set(String name, Class<E> elements) {
        return set(name, Codecs.of(elements));
    }

    /**
     * Opens the list with a name; creates an empty one if there is none.
     *
     * @param <E> type of the elements
     * @param name name of the list
     * @param elements codec of the elements
     * @return the list
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     */
    <E> ChunkList<E> list(String name, Codec<E> elements);

    /**
     * Opens the list with a name, with a codec derived from the type of its elements; creates an empty one if there is
     * none.
     *
     * @param <E> type of the elements
     * @param name name of the list
     * @param elements class of the elements
     * @return the list
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <E> ChunkList<E> list(String name, Class<E> elements) {
        return list(name, Codecs.of(elements));
    }

    /**
     * Opens the queue with a name; creates an empty one if there is none.
     *
     * @param <E> type of the elements
     * @param name name of the queue
     * @param elements codec of the elements
     * @return the queue
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     */
    <E> ChunkQueue<E> queue(String name, Codec<E> elements);

    /**
     * Opens the queue with a name, with a codec derived from the type of its elements; creates an empty one if there is
     * none.
     *
     * @param <E> type of the elements
     * @param name name of the queue
     * @param elements class of the elements
     * @return the queue
     * @throws IllegalArgumentException like {@link #map(String, Codec, Codec)}
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    default <E> ChunkQueue<E> queue(String name, Class<E> elements) {
        return queue(name, Codecs.of(elements));
    }

    // ---- groups of operations ----

    /** {@return operations on many chunks at once} */
    BatchOperations batch();

    /** {@return operations on single values inside chunks} */
    FieldOperations fields();

    /** {@return read and write locks} */
    LockOperations locks();

    /** {@return operations that reserve CIDs, create chunks at given CIDs, and visit all CIDs} */
    IdOperations ids();

    /** {@return the names of collections and chunks} */
    NameOperations names();

    /**
     * {@return jobs and compute groups, which run code of the application at the data}
     *
     * @throws UnsupportedOperationException if this is a view of a zone inside of a node of a cluster
     */
    Compute compute();

    /** Closes the store; idempotent. */
    @Override
    void close();
}
