package io.teff.cluster;

import io.teff.cluster.service.ClusterServices;
import io.teff.engine.ChunkStore;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * A store whose chunks are in a cluster: the client of a cluster. Thread-safe.
 * <pre>
 *  try (ChunkStore store = ClusterStore.connect("tcp:10.0.0.1:7400", "tcp:10.0.0.2:7400", "tcp:10.0.0.3:7400")) {
 *      long cid = store.create(new byte[] {1, 2, 3});
 *  }
 * </pre>
 * Operations have the results of a local store. The differences are:
 * <ul>
 * <li>Each call ends within {@link ClientConfig#timeoutNs}. If the owner of a chunk fails, the call waits for the new
 *     owner. A call without a change until then throws a {@link StoreException} of category RETRY; a call that may have
 *     changed something throws an {@link UnknownOutcomeException}.
 * <li>A change takes effect once, also if the answer is lost with a connection or an owner: the client sends the change
 *     again, and gets the result of the only execution. If the cluster has not heard from the client for 30 s
 *     meanwhile, a change under way throws an {@link UnknownOutcomeException}, and later changes succeed again.
 * <li>A change is acknowledged at the {@link WriteLevel} of this object.
 * <li>An interrupt does not end a call; the thread's interrupt status is set again afterwards.
 * <li>At most {@link #RESERVED_MAX} consecutive CIDs are reserved at once.
 * <li>At most 64 changes of a client are under way in a zone; more wait.
 * <li>Chunks are of at most {@link #CHUNK_BYTES_MAX} bytes: longer chunks throw {@link IllegalArgumentException}.
 * <li>Maps and sets are spread over the zones of the cluster; a queue, list or sorted map is in one zone. Functions of
 *     {@code compute}, {@code merge} and similar methods run in this process, perhaps more than once. A {@link
 *     io.teff.engine.collect.ValueChange} and a {@link ClusterFunction} run at the owner, once. Names of collections
 *     have {@link io.teff.engine.Cid#NONE} as their CID.
 * <li>A collection that is opened twice is two objects of one collection: another client may have dropped the
 *     collection meanwhile, and made it anew.
 * <li>A lock has a lease ({@link ClientConfig#lockLeaseNs}). The client renews the lease while the client and the
 *     thread with the lock live. A thread that has lost a lock by a pause of the client changes nothing any more: the
 *     next operation of the thread on the chunk throws a {@link LockLostException}. No wait for a lock is longer than
 *     {@link ClientConfig#timeoutNs}.
 * </ul>
 * Closing ends the calls of other threads with {@link StoreClosedException}.
 */
public interface ClusterStore extends ChunkStore {
    /** Longest chunk in bytes: 1 MiB. */
    int CHUNK_BYTES_MAX = 1 << 20;
    /** Most consecutive CIDs of one reservation: 65,536. */
    int RESERVED_MAX = 1 << 16;

    /**
     * Connects to a cluster, with default settings.
     *
     * @param superpeers addresses of superpeers in any order, all or some superpeers, for example
     *     {@code tcp:127.0.0.1:7400}
     * @return the store
     * @throws StoreException as {@link #connect(ClientConfig)} does
     */
    static ClusterStore connect(String... superpeers) {
        return connect(ClientConfig.builder(superpeers).build());
    }

    /**
     * Connects to a cluster.
     *
     * @param config of the client
     * @return the store
     * @throws StoreException of category RETRY if no superpeer answers within the deadline; of category DEGRADED, at
     *     once, if the superpeers have another secret or other TLS, or this process lacks the transport of the
     *     addresses: the message names the remedy
     */
    static ClusterStore connect(ClientConfig config) {
        return ServiceLoader.load(ClusterConnector.class, ClusterConnector.class.getClassLoader()).findFirst()
            .orElseThrow().connect(config);
    }

    /** {@return the level at which changes of this object are acknowledged} */
    WriteLevel level();

    /**
     * Returns a view of this store that acknowledges changes at another level. Store and view have the same
     * connections; closing the view closes the store, and closing the store closes the view.
     *
     * @param level required for the return of a change
     * @return the view
     */
    ClusterStore withLevel(WriteLevel level);

    /**
     * Returns a view of this store whose maps, sets and sorted maps have a near cache: a value that was read, or the
     * absence of a key, is kept in the memory of this process for the next reads by {@code get}, {@code containsKey},
     * {@code getAll} of a hash map, and similar methods. Off by default, because a read may then show a value that
     * another client has changed less than {@linkplain NearCacheConfig#bound the bound} ago; never an older value than
     * an operation of this client has returned or written before. All other methods go to the owner. A walk ends the
     * copies of its collection.
     *
     * <p>A collection has one near cache at a client, with the largest memory of all its configurations. Lists and
     * queues have none, and neither has the level {@link WriteLevel#OWNER}. Store and view have the same
     * connections; closing the view closes the store, and closing the store closes the view.
     *
     * @param config memory of each collection, and the bound
     * @return the view
     */
    ClusterStore withNearCache(NearCacheConfig config);

    /** {@return the numbers of the near caches of this client, by the names of the collections} */
    Map<String, NearCacheStats> nearCaches();

    /**
     * Creates a chunk in the zone of another chunk, so that one peer keeps both chunks, also after failures and moves.
     * If this zone is full, the chunk is created elsewhere.
     *
     * @param neighbour CID of a chunk; the chunk need not exist any more
     * @param source the content
     * @return CID of the new chunk, or FULL
     */
    @Override
    long createNear(long neighbour, byte[] source);

    /** {@return an empty group of changes of chunks of one zone, which are made together or not at all} */
    ChunkGroup group();

    /** {@return calls of registered functions, which run at the owners of entries} */
    ClusterFunctions functions();

    /**
     * Begins a stream of the changes of a map. The first stream of a map makes the map watched: from then on the owner
     * of each partition keeps the last changes, also without a stream, until the map is dropped.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param map a hash map of this store
     * @param options which keys, and from where
     * @return the stream; each change that begins behind this call is in the stream
     * @throws IllegalArgumentException if the map is of another store
     * @throws IllegalStateException if this client has {@link ChangeStream#STREAMS_MAX} open streams, or the map was
     *     dropped
     * @throws StoreException of category DEGRADED if an owner has no memory, or too many watched maps
     */
    <K, V> ChangeStream<K, V> watch(ChunkMap<K, V> map, WatchOptions options);

    /**
     * Begins a stream of the changes of a set, as {@link #watch(ChunkMap, WatchOptions)}. Each value is {@code true}.
     *
     * @param <E> type of the elements
     * @param set a set of this store
     * @param options which elements, and from where
     * @return the stream
     */
    <E> ChangeStream<E, Boolean> watch(ChunkSet<E> set, WatchOptions options);

    /**
     * Begins a stream of the changes of a sorted map, as {@link #watch(ChunkMap, WatchOptions)}. The map is one
     * partition: all of its changes are in one order.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param map a sorted map of this store
     * @param options which keys, and from where
     * @return the stream
     */
    <K, V> ChangeStream<K, V> watch(ChunkSortedMap<K, V> map, WatchOptions options);

    /**
     * Begins a stream of the changes of a queue, as {@link #watch(ChunkMap, WatchOptions)}. Each element has a number,
     * which no other element of the queue ever has, as its key: an element is added by a {@link ChangeStream.Put}, and
     * taken or removed by a {@link ChangeStream.Removed}. A {@link java.util.LinkedHashMap} that gets the events has
     * the elements of the queue in their order.
     *
     * @param <E> type of the elements
     * @param queue a queue of this store
     * @param options all elements, and from where
     * @return the stream
     */
    <E> ChangeStream<Long, E> watch(ChunkQueue<E> queue, WatchOptions options);

    /**
     * Returns the chunks as the holder of a lock changes them: the owner of the zone refuses each change after a change
     * of a later holder.
     *
     * @param fence a chunk of 8 bytes in the zone of the changed chunks; see {@link ChunkGroup#fence}
     * @param token of the holder: {@link io.teff.cluster.service.Hold#token}
     * @return the chunks behind the fence
     */
    default FencedChunks fenced(long fence, long token) {
        return new FencedChunks(this, fence, token);
    }

    /**
     * Returns a view of this store whose collections are changed by the holder of a lock. Opening a collection by the
     * view raises the fence of the collection to the token of the holder. From then on the owners refuse each change of
     * an earlier holder, also of a holder that was stopped behind its check. A refused change has changed nothing, and
     * throws {@link io.teff.cluster.service.HoldLostException}, as the opening by an earlier holder does.
     *
     * <p>A collection has one fence, so one lock guards it. Changes of objects that another view has opened present no
     * token, and are not refused. Chunks have {@link #fenced(long, long)}. Store and view have the same connections;
     * closing the view closes the store, and closing the store closes the view.
     *
     * @param token of the holder: {@link io.teff.cluster.service.Hold#token}
     * @return the view
     */
    ClusterStore withFence(long token);

    /**
     * Returns a view of this store that splits the sorted maps that it changes: a part that has grown beyond a bound
     * gives the upper half of its entries to a new part, in another zone if there is one. The changes of the view take
     * the steps of a split: every 16th change in a part moves up to 256 entries. All objects, also those of other
     * views, use a map while it is split.
     *
     * <p>A store without ranges splits only the parts that fill their zones, and {@link #ranges} splits any part. Store
     * and view have the same connections; closing the view closes the store, and closing the store closes the view.
     *
     * @param config bounds of a part
     * @return the view
     */
    ClusterStore withRanges(RangeConfig config);

    /**
     * Returns the ranges of a sorted map, to look at and to split.
     *
     * @param <K> type of the keys
     * @param map a sorted map of this store
     * @return the ranges
     * @throws IllegalArgumentException if the map is of another store
     */
    <K> MapRanges<K> ranges(ChunkSortedMap<K, ?> map);

    /** {@return services that coordinate processes: names, locks, elections, semaphores, barriers and counters} */
    ClusterServices services();
}
