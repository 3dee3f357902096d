package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.ChunkGroup;
import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterConnector;
import io.teff.cluster.ClusterFunctions;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.MapRanges;
import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.NearCacheStats;
import io.teff.cluster.RangeConfig;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.cluster.service.ClusterServices;
import io.teff.engine.BatchOperations;
import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.IdOperations;
import io.teff.engine.LockOperations;
import io.teff.engine.NameOperations;
import io.teff.engine.NamedRoot;
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
import io.teff.engine.error.Status;
import io.teff.engine.raw.ClasslessOrder;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations of {@link ClusterStore}: each operation is a request to the owner of the chunk. Thread-safe.
 */
public final class RemoteStore implements ClusterStore {
    /** Contents of at most this many bytes are written by short requests. */
    private static final int SHORT_SOURCE_MAX = OperationFormat.SHORT_BYTES_MAX / 2;

    private final ClusterClient client;
    private final WriteLevel level;
    private final ZonePicker zones;
    private final Call.Source calls;
    private final Chunks chunks = new RemoteChunks(this, cid -> get(cid, CHUNK_BYTES_MAX));
    private final RemoteFields fields;
    private final RemoteBatch batch;
    private final ZoneCreates creates;
    private final RemoteIds ids;
    private final RemoteLocks locks;
    private final MapCalls maps;
    private final RemoteDirectory directory;
    private final RemoteServices services;
    private final RemoteFunctions functions;
    private final RemoteCompute compute;
    private final @Nullable NearCacheConfig near;
    private final @Nullable RangeConfig ranges;
    /** Token of a holder that the changes of collections present, or 0. */
    private final long token;

    private RemoteStore(ClusterClient client, ZonePicker zones, WriteLevel level, Call.Source calls,
                        @Nullable NearCacheConfig near, @Nullable RangeConfig ranges, long token) {
        this.token = token;
        this.client = client;
        this.zones = zones;
        this.level = level;
        this.calls = calls;
        this.near = near;
        this.ranges = ranges;
        fields = new RemoteFields(client, level, calls);
        batch = new RemoteBatch(this, client, zones, level);
        creates = new ZoneCreates(client, zones);
        ids = new RemoteIds(client, creates, level);
        locks = new RemoteLocks(this, client, level, calls);
        maps = new MapCalls(client, level);
        directory = new RemoteDirectory(maps, client.chance());
        services = new RemoteServices(client.services());
        functions = new RemoteFunctions(client);
        compute = new RemoteCompute(client, level);
    }

    /** The way to this class for {@link ClusterStore#connect(ClientConfig)}, which must not depend on this class. */
    public static final class Connector implements ClusterConnector {
        /** For the service loader. */
        public Connector() {}

        @Override
        public ClusterStore connect(ClientConfig config) {
            return of(ClusterClient.connect(config), config.level());
        }
    }

    /** Returns the store of a connected client. */
    static RemoteStore of(ClusterClient client, WriteLevel level) {
        return new RemoteStore(client, new ZonePicker(client.tables()), level, client::call, null, null, 0);
    }

    /**
     * Returns a view for the parts of one call: the time of all parts ends with the deadline of the call. For the
     * thread of the call.
     */
    RemoteStore within(Call whole) {
        return new RemoteStore(client, zones, level, whole::part, near, ranges, token);
    }

    @Override
    public ClusterFunctions functions() {
        return functions;
    }

    @Override
    public Compute compute() {
        client.checkOpen();
        return compute;
    }

    @Override
    public ClusterServices services() {
        return services;
    }

    @Override
    public boolean isOpen() {
        return client.isOpen();
    }

    @Override
    public WriteLevel level() {
        return level;
    }

    @Override
    public ClusterStore withLevel(WriteLevel other) {
        return other == level ? this : new RemoteStore(client, zones, Objects.requireNonNull(other, "other"),
            calls, near, ranges, token);
    }

    @Override
    public ClusterStore withNearCache(NearCacheConfig config) {
        return new RemoteStore(client, zones, level, calls, Objects.requireNonNull(config, "config"), ranges,
            token);
    }

    @Override
    public ClusterStore withFence(long holder) {
        if (holder <= 0) {
            throw new IllegalArgumentException("token=" + holder + " is not positive");
        }
        return new RemoteStore(client, zones, level, calls, near, ranges, holder);
    }

    @Override
    public ClusterStore withRanges(RangeConfig config) {
        return new RemoteStore(client, zones, level, calls, near, Objects.requireNonNull(config, "config"), token);
    }

    @Override
    public Map<String, NearCacheStats> nearCaches() {
        return client.nearCaches().stats();
    }

    // ---- create ----

    @Override
    public long create(byte[] source) {
        return create(source, 0, source.length);
    }

    @Override
    public long create(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkLength(length);
        return create(Cid.NONE, 0, length, bytes -> bytes.putBytes(source, offset, length));
    }

    @Override
    public long create(MemorySegment source, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        checkLength(length);
        return create(Cid.NONE, 0, (int) length, bytes -> bytes.putBytes(source, offset, (int) length));
    }

    @Override
    public long create(long length) {
        checkLength(length);
        return create(Cid.NONE, OperationFormat.ZEROS, (int) length, Content.NONE);
    }

    @Override
    public long createReadOnly(byte[] source) {
        checkLength(source.length);
        return create(Cid.NONE, OperationFormat.READ_ONLY, source.length,
            bytes -> bytes.putBytes(source, 0, source.length));
    }

    @Override
    public long createNear(long neighbour, byte[] source) {
        checkLength(source.length);
        return create(neighbour, 0, source.length, bytes -> bytes.putBytes(source, 0, source.length));
    }

    /** Puts the content into a request. */
    private interface Content {
        Content NONE = _ -> { };

        void put(RequestBytes bytes);
    }

    @Override
    public ChunkGroup group() {
        client.checkOpen();
        return new RemoteGroup(client, level);
    }

    /**
     * Creates a chunk near a given chunk if there is room, or else in the thread's next zone with room at the owner.
     */
    private long create(long neighbour, int flags, int length, Content content) {
        final boolean isLong = flags != OperationFormat.ZEROS && length > SHORT_SOURCE_MAX;
        return creates.run(OperationType.CREATE, neighbour, isLong, place -> {
            final RequestBytes bytes = RequestBytes.once().begin(OperationType.CREATE, level, flags, 0, length, place);
            content.put(bytes);
            return bytes;
        });
    }

    static void checkLength(long length) {
        if (length < 0 || length > CHUNK_BYTES_MAX) {
            throw new IllegalArgumentException("length=" + length + " is not in 0 to " + CHUNK_BYTES_MAX
                + ": chunks of a cluster are of at most 1 MiB");
        }
    }

    private static boolean isLong(RequestBytes bytes) {
        return bytes.length() > SHORT_SOURCE_MAX;
    }

    // ---- read ----

    @Override
    public int get(long cid, byte[] target) {
        return get(cid, target, 0);
    }

    @Override
    public int get(long cid, byte[] target, int offset) {
        return get(cid, target, offset, client.lockTimeoutNs());
    }

    /** Copies a chunk; waits for locks of other threads for a time. */
    int get(long cid, byte[] target, int offset, long locksNs) {
        Objects.checkFromIndexSize(offset, 0, target.length);
        final OperationAnswer answer = get(cid, target.length - offset, locksNs);
        System.arraycopy(answer.bytes(), OperationFormat.HEAD_BYTES, target, offset, answer.contentLength());
        return (int) answer.result();
    }

    @Override
    public long get(long cid, MemorySegment target, long offset) {
        Objects.checkFromIndexSize(offset, 0, target.byteSize());
        checkWritable(target);
        final OperationAnswer answer = get(cid, target.byteSize() - offset, client.lockTimeoutNs());
        answer.copyContent(target, offset);
        return answer.result();
    }

    /** Reads a chunk of at most the length of the room; waits for locks of other threads as usual. */
    OperationAnswer get(long cid, long room) {
        return get(cid, room, client.lockTimeoutNs());
    }

    /** Reads a chunk of at most the length of the room. */
    OperationAnswer get(long cid, long room, long locksNs) {
        final int limit = (int) Math.min(room, CHUNK_BYTES_MAX);
        final RequestBytes bytes = client.request(cid).begin(OperationType.GET, level, 0, 0, limit, cid);
        return read(OperationType.GET, cid, bytes, limit, locksNs);
    }

    private static void checkWritable(MemorySegment target) {
        if (target.isReadOnly()) {
            throw new UnsupportedOperationException("the target is read-only");
        }
    }

    /** Sends a read and checks that the answer has the content announced by the result. */
    private OperationAnswer read(OperationType type, long cid, RequestBytes bytes, int contentMax, long locksNs) {
        try (Call call = calls.call(type, cid).waitForLocks(locksNs)) {
            return client.send(call, type, cid, bytes, false, contentMax);
        }
    }

    @Override
    public int getBytes(long cid, long chunkOffset, byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length > CHUNK_BYTES_MAX) {
            return outOfRange(cid);
        }
        final OperationAnswer answer = getBytes(cid, chunkOffset, length);
        System.arraycopy(answer.bytes(), OperationFormat.HEAD_BYTES, target, offset, answer.contentLength());
        return (int) answer.result();
    }

    @Override
    public int getBytes(long cid, long chunkOffset, MemorySegment target, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, target.byteSize());
        checkWritable(target);
        if (length > CHUNK_BYTES_MAX) {
            return outOfRange(cid);
        }
        final OperationAnswer answer = getBytes(cid, chunkOffset, (int) length);
        answer.copyContent(target, offset);
        return (int) answer.result();
    }

    private OperationAnswer getBytes(long cid, long chunkOffset, int length) {
        final RequestBytes bytes = client.request(cid).begin(OperationType.GET_BYTES, level, 0, 0, length, cid)
            .putLong(chunkOffset);
        return read(OperationType.GET_BYTES, cid, bytes, length, client.lockTimeoutNs());
    }

    /** Returns the result for a range beyond the length of any chunk. */
    private int outOfRange(long cid) {
        return exists(cid) ? Status.OUT_OF_RANGE : Status.ABSENT;
    }

    @Override
    public boolean exists(long cid) {
        return size(cid) >= 0;
    }

    @Override
    public long size(long cid) {
        return run(OperationType.SIZE, cid, RequestBytes.once().begin(OperationType.SIZE, level, 0, 0, 0, cid));
    }

    // ---- change ----

    private long run(OperationType type, long cid, RequestBytes bytes) {
        return run(type, cid, bytes, client.lockTimeoutNs());
    }

    private long run(OperationType type, long cid, RequestBytes bytes, long locksNs) {
        try (Call call = calls.call(type, cid).waitForLocks(locksNs)) {
            return client.send(call, type, cid, bytes, isLong(bytes)).result();
        }
    }

    @Override
    public int put(long cid, byte[] source) {
        return put(cid, source, 0, source.length);
    }

    @Override
    public int put(long cid, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkLength(length);
        return (int) run(OperationType.PUT, cid, client.request(cid)
            .begin(OperationType.PUT, level, 0, 0, length, cid).putBytes(source, offset, length));
    }

    @Override
    public int put(long cid, MemorySegment source, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        checkLength(length);
        return (int) run(OperationType.PUT, cid, client.request(cid)
            .begin(OperationType.PUT, level, 0, 0, (int) length, cid).putBytes(source, offset, (int) length));
    }

    @Override
    public int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length > CHUNK_BYTES_MAX) {
            return outOfRange(cid);
        }
        return putBytes(cid, chunkOffset, source, offset, length, client.lockTimeoutNs());
    }

    /** Overwrites the first bytes of a chunk; waits for locks of other threads for a time. */
    int putBytes(long cid, byte[] source, int offset, int length, long locksNs) {
        return putBytes(cid, 0, source, offset, length, locksNs);
    }

    private int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length, long locksNs) {
        return (int) run(OperationType.PUT_BYTES, cid, client.request(cid)
            .begin(OperationType.PUT_BYTES, level, 0, 0, length, cid).putLong(chunkOffset)
            .putBytes(source, offset, length), locksNs);
    }

    @Override
    public int putBytes(long cid, long chunkOffset, MemorySegment source, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (length > CHUNK_BYTES_MAX) {
            return outOfRange(cid);
        }
        return (int) run(OperationType.PUT_BYTES, cid, client.request(cid)
            .begin(OperationType.PUT_BYTES, level, 0, 0, (int) length, cid).putLong(chunkOffset)
            .putBytes(source, offset, (int) length));
    }

    @Override
    public int resize(long cid, long length) {
        checkLength(length);
        return (int) run(OperationType.RESIZE, cid,
            client.request(cid).begin(OperationType.RESIZE, level, 0, 0, (int) length, cid));
    }

    @Override
    public long remove(long cid) {
        return remove(cid, client.lockTimeoutNs());
    }

    /** Removes a chunk; waits for locks of other threads for a time. */
    long remove(long cid, long locksNs) {
        final long length = run(OperationType.REMOVE, cid,
            client.request(cid).begin(OperationType.REMOVE, level, 0, 0, 0, cid), locksNs);
        if (!Status.isStatus(length)) {
            client.heldLocks().forget(cid);                     // the locks of the chunk have ended with the chunk
        }
        return length;
    }

    @Override
    public int seal(long cid) {
        final int result = (int) run(OperationType.SEAL, cid,
            client.request(cid).begin(OperationType.SEAL, level, 0, 0, 0, cid));
        if (result == Status.OK) {
            client.heldLocks().sealed(cid);
        }
        return result;
    }

    // ---- groups of operations ----

    @Override
    public Chunks chunks() {
        return chunks;
    }

    @Override
    public BatchOperations batch() {
        return batch;
    }

    @Override
    public FieldOperations fields() {
        return fields;
    }

    @Override
    public IdOperations ids() {
        return ids;
    }

    @Override
    public LockOperations locks() {
        return locks;
    }

    /** Returns the locks as their class. */
    RemoteLocks remoteLocks() {
        return locks;
    }

    // ---- names and collections ----

    @Override
    public NameOperations names() {
        client.checkOpen();
        return new RemoteNames(this, directory);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values) {
        if (keys.equals(Codecs.LONG)) {
            return (ChunkMap<K, V>) longMap(name, values);
        }
        client.checkOpen();
        final CollectionRow row = directory.open(name, NamedRoot.Kind.MAP, keys, values);
        return new RemoteMap<>(partitions(name, row), keys, directory.forms(name, row, values));
    }

    private RemotePartitions partitions(String name, CollectionRow row) {
        return new RemotePartitions(maps.as(token), directory, name, row, near).raise();
    }

    @Override
    public <K, V> ChunkMap<K, V> map(String name, Class<K> keys, Class<V> values) {
        return map(name, Codecs.of(keys), Codecs.of(values));
    }

    @Override
    public <V> ChunkLongMap<V> longMap(String name, Codec<V> values) {
        client.checkOpen();
        final CollectionRow row = directory.open(name, NamedRoot.Kind.MAP, Codecs.LONG, values);
        return new RemoteLongMap<>(partitions(name, row), directory.forms(name, row, values));
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values) {
        return sorted(name, keys, values, null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Class<K> keys, Class<V> values) {
        final Codec<K> codec = Codecs.of(keys);
        return sorted(name, codec, Codecs.of(values), ClasslessOrder.isOfBytes(codec) ? null
            : (Comparator<? super K>) Comparator.naturalOrder());
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
                                                 Comparator<? super K> comparator) {
        return sorted(name, keys, values, Objects.requireNonNull(comparator));
    }

    @Override
    public <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values) {
        client.checkOpen();
        final CollectionRow row = directory.open(name, NamedRoot.Kind.SORTED_MAP, Codecs.LONG, values);
        return new RemoteSortedLongMap<>(sorted(name, row, Codecs.LONG, Comparator.naturalOrder()), near(name, row),
            directory.forms(name, row, values));
    }

    @SuppressWarnings("unchecked")
    private <K, V> ChunkSortedMap<K, V> sorted(String name, Codec<K> keys, Codec<V> values,
                                               @Nullable Comparator<? super K> comparator) {
        client.checkOpen();
        if (comparator == null && keys.equals(Codecs.LONG)) {
            return (ChunkSortedMap<K, V>) sortedLongMap(name, values);
        }
        final String order = comparator == null ? "" : orderOf(comparator);
        if (comparator instanceof NamedComparator<?>) {         // whatever its name is
            throw ClasslessOrder.refusal(name, keys.describe(), order);
        }
        final Comparator<K> known = (Comparator<K>) ClasslessOrder.of(name, keys.describe(), order).order();
        final CollectionRow row = directory.open(name, NamedRoot.Kind.SORTED_MAP, keys, values, order);
        return new RemoteSortedMap<>(sorted(name, row, keys, known), near(name, row), keys,
            directory.forms(name, row, values), known,
            comparator != null ? comparator : keys.equals(Codecs.BYTES) ? known : null);
    }

    private NearReads near(String name, CollectionRow row) {
        return new NearReads(client, name, row, level, near);
    }

    private <K> SortedCalls sorted(String name, CollectionRow row, Codec<K> keys, Comparator<K> order) {
        return new SortedCalls(unraised(name, row), new RangeRows(directory, client, name, row), (left, right) ->
            order.compare(CollectionCalls.object(keys, left), CollectionCalls.object(keys, right)), ranges).raise();
    }

    @Override
    public <K> MapRanges<K> ranges(ChunkSortedMap<K, ?> map) {
        if (map instanceof RemoteSortedMap<K, ?> remote && remote.client() == client) {
            return remote.ranges();
        }
        throw new IllegalArgumentException("map is no sorted map of this cluster: " + map.getClass());
    }

    private static String orderOf(Comparator<?> comparator) {
        final String order = NamedComparator.nameOf(comparator);
        return order == null ? comparator.toString() : order;
    }

    @Override
    public <E> ChunkSet<E> set(String name, Codec<E> elements) {
        client.checkOpen();
        final CollectionRow row = directory.open(name, NamedRoot.Kind.SET, elements, RemoteSet.PRESENT);
        return new RemoteSet<>(new RemoteMap<>(partitions(name, row), elements,
            directory.forms(name, row, RemoteSet.PRESENT)));
    }

    @Override
    public <E> ChunkList<E> list(String name, Codec<E> elements) {
        final CollectionRow row = open(name, NamedRoot.Kind.LIST, elements);
        return new RemoteList<>(calls(name, row), directory.forms(name, row, elements));
    }

    @Override
    public <E> ChunkQueue<E> queue(String name, Codec<E> elements) {
        final CollectionRow row = open(name, NamedRoot.Kind.QUEUE, elements);
        return new RemoteQueue<>(calls(name, row), directory.forms(name, row, elements));
    }

    @Override
    public <K, V> ChangeStream<K, V> watch(ChunkMap<K, V> map, WatchOptions options) {
        if (map instanceof RemoteMap<K, V> remote && remote.client() == client) {
            return remote.watch(options);
        }
        throw new IllegalArgumentException("map is no hash map of this cluster: " + map.getClass());
    }

    @Override
    public <E> ChangeStream<E, Boolean> watch(ChunkSet<E> set, WatchOptions options) {
        if (set instanceof RemoteSet<E> remote && remote.map().client() == client) {
            return remote.map().watch(options);
        }
        throw new IllegalArgumentException("set is no set of this cluster: " + set.getClass());
    }

    @Override
    public <K, V> ChangeStream<K, V> watch(ChunkSortedMap<K, V> map, WatchOptions options) {
        if (map instanceof RemoteSortedMap<K, V> remote && remote.client() == client) {
            return remote.watch(options);
        }
        throw new IllegalArgumentException("map is no sorted map of this cluster: " + map.getClass());
    }

    @Override
    public <E> ChangeStream<Long, E> watch(ChunkQueue<E> queue, WatchOptions options) {
        if (queue instanceof RemoteQueue<E> remote && remote.client() == client) {
            return remote.watch(options);
        }
        throw new IllegalArgumentException("queue is no queue of this cluster: " + queue.getClass());
    }

    /** Returns the row of a queue or list. */
    private CollectionRow open(String name, NamedRoot.Kind kind, Codec<?> elements) {
        client.checkOpen();
        return directory.open(name, kind, elements, RemoteSet.PRESENT);
    }

    private CollectionCalls calls(String name, CollectionRow row) {
        return unraised(name, row).raise();
    }

    private CollectionCalls unraised(String name, CollectionRow row) {
        return new CollectionCalls(client, level, row.zones()[0], row.collection(name),
            () -> directory.requireRow(name, row), token);
    }

    /** Returns the rows of all collections. */
    Map<String, CollectionRow> rows() {
        return directory.all();
    }

    /** Returns the calls of the first part of a sorted map. */
    CollectionCalls firstPart(String name, CollectionRow row) {
        return unraised(name, row);
    }

    /** Waits a moment before something is tried again. */
    void pause(String what) {
        try (Call call = client.call(what)) {
            call.pause();
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "ClusterStore[" + client + ", " + level + ']';
    }
}
