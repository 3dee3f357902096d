package io.teff.bridge.kafka;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableHealth;
import io.teff.recovery.DurableStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.ResultOrder;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A persistent state store: a sorted map of bytes in a durable store of its own, with the last changes in front of the
 * map on the heap.
 *
 * <p>One thread of Kafka Streams changes a store; any number of threads may read. A walk first moves the last changes
 * to the map. An iterator shows each entry that
 * exists during the whole walk once, and may or may not show entries that are put or removed meanwhile. Iterators of
 * other threads end with an exception when the store is closed.
 */
final class TeffStateStore implements KeyValueStore<Bytes, byte[]> {
    private static final String ENTRIES = "entries";
    private static final String PARENT = "teff";
    private static final int BYTE_MAX = 0xFF;

    private final String name;
    private final DurableConfig config;
    private final long recentBytes;
    private final Places places = new Places();
    private volatile @Nullable Opened opened;

    private record Opened(DurableStore durable, ChunkSortedMap<byte[], byte[]> map, RecentChanges recent,
                          StateStoreContext context) {}

    TeffStateStore(String name, DurableConfig config, long recentBytes) {
        this.name = name;
        this.config = config;
        this.recentBytes = recentBytes;
    }

    // ---- life ----

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        final Path folder = context.stateDir().toPath().resolve(PARENT).resolve(name);
        final DurableStore durable = DurableStore.open(folder, config);
        final ChunkSortedMap<byte[], byte[]> map = durable.store().sortedMap(ENTRIES, Codecs.BYTES, Codecs.BYTES);
        final RecentChanges recent = new RecentChanges(map, recentBytes);
        opened = new Opened(durable, map, recent, context);
        final BatchingStateRestoreCallback restore = records ->
            records.forEach(record -> recent.change(Bytes.wrap(record.key), record.value));
        context.register(root, restore);
    }

    @Override
    public void commit(Map<TopicPartition, Long> offsets) {
        final Opened now = opened();
        now.recent.flush();
        now.durable.sync();
    }

    /** Releases of Kafka before 4.4 call this method in the place of {@link #commit}. */
    @Override
    @Deprecated
    public void flush() {
        commit(Map.of());
    }

    /** Returns the state of the durable store. */
    DurableHealth health() {
        return opened().durable.health();
    }

    @Override
    public void close() {
        final Opened closing = opened;
        opened = null;
        if (closing != null) {
            try (DurableStore _ = closing.durable) {
                closing.recent.flush();
            }
        }
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return opened != null;
    }

    private Opened opened() {
        final Opened now = opened;
        if (now == null) {
            throw new InvalidStateStoreException("Store " + name + " is currently closed");
        }
        return now;
    }

    /** Returns the map, which has all changes that were made before. */
    private ChunkSortedMap<byte[], byte[]> wholeMap() {
        final Opened now = opened();
        now.recent.flush();
        return now.map;
    }

    // ---- changes ----

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        final Opened now = opened();
        now.recent.change(Objects.requireNonNull(key, "key"), value);
        places.reach(now.context);
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
        final byte[] before = get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        entries.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        final byte[] before = get(key);
        put(key, null);
        return before;
    }

    // ---- reads ----

    @Override
    public byte @Nullable [] get(Bytes key) {
        final Opened now = opened();
        final RecentChanges.Change change = now.recent.find(Objects.requireNonNull(key, "key"));
        return change == null ? now.map.get(key.get()) : change.value();
    }

    @Override
    public long approximateNumEntries() {
        return wholeMap().longSize();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return walk(from, to, true);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return walk(from, to, false);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return walk(null, null, true);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return walk(null, null, false);
    }

    /** Both bounds belong to the range, as everywhere in Kafka Streams. */
    private KeyValueIterator<Bytes, byte[]> walk(@Nullable Bytes from, @Nullable Bytes to, boolean isAscending) {
        if (from != null && to != null && from.compareTo(to) > 0) {
            return Walk.empty();
        }
        ConcurrentNavigableMap<byte[], byte[]> part = wholeMap();
        if (from != null) {
            part = part.tailMap(from.get(), true);
        }
        if (to != null) {
            part = part.headMap(to.get(), true);
        }
        return new Walk((isAscending ? part : part.descendingMap()).entrySet().iterator());
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S serializer) {
        final byte[] from = Objects.requireNonNull(serializer.serialize(null, Objects.requireNonNull(prefix)));
        final byte[] end = behind(from);
        final ConcurrentNavigableMap<byte[], byte[]> part = wholeMap().tailMap(from, true);
        return new Walk((end == null ? part : part.headMap(end, false)).entrySet().iterator());
    }

    /** Returns the first key behind all keys with a prefix, or null if there is none. */
    private static byte @Nullable [] behind(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && (prefix[last] & BYTE_MAX) == BYTE_MAX) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        final byte[] end = Arrays.copyOf(prefix, last + 1);
        end[last]++;
        return end;
    }

    // ---- queries ----

    @Override
    public Position getPosition() {
        return places.position();
    }

    @Override
    @SuppressWarnings("unchecked") // the kind of a query says the type of its result
    public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig queryConfig) {
        final Opened now = opened();
        final int partition = now.context.taskId().partition();
        final QueryResult<R> result;
        if (!places.isAt(bound, partition)) {
            result = QueryResult.notUpToBound(places.position(), bound, partition);
        } else if (query instanceof KeyQuery<?, ?> key) {
            result = (QueryResult<R>) QueryResult.forResult(get((Bytes) key.getKey()));
        } else if (query instanceof RangeQuery<?, ?> range) {
            result = (QueryResult<R>) QueryResult.forResult(walk((Bytes) range.getLowerBound().orElse(null),
                (Bytes) range.getUpperBound().orElse(null), range.resultOrder() != ResultOrder.DESCENDING));
        } else {
            result = QueryResult.forUnknownQueryType(query, this);
        }
        result.setPosition(places.position());
        return result;
    }
}
