package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.client.CollectionCalls.Outcome;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.EntryRange;
import io.teff.engine.map.KeyBounds;
import io.teff.engine.map.Removal;
import io.teff.engine.map.SortedMapRange;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map of a cluster: each operation on an entry is done at the owner of a part of the map. Thread-safe.
 *
 * <p><b>Functions</b> of the application run at the client: read, compute, and replace if the value is still the same.
 * So a function may run more than once. Ready-made and registered functions run at the owner, once. <b>Long values</b>
 * take two round trips, as in {@link RemoteMap}.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
class RemoteSortedMap<K, V> extends SortedMapRange<K, V> implements ChunkSortedMap<K, V> {
    private static final byte[] NONE = new byte[0];
    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;
    private static final int CHAR_BYTES_MAX = 3;

    private final SortedCalls calls;
    private final Codec<K> keys;
    private final FormCodec<V> values;
    private final NearReads near;
    private final Comparator<K> order;
    private final @Nullable Comparator<? super K> comparator;
    private final RemoteSortedBulk<K, V> bulk;

    /**
     * Makes the face of a map.
     *
     * @param order order of the keys
     * @param comparator the order as {@link java.util.SortedMap#comparator} defines it: null for the natural order
     */
    RemoteSortedMap(SortedCalls calls, NearReads near, Codec<K> keys, FormCodec<V> values, Comparator<K> order,
                    @Nullable Comparator<? super K> comparator) {
        super(KeyBounds.all(), true);
        this.calls = calls;
        this.near = near;
        this.keys = keys;
        this.values = values;
        this.order = order;
        this.comparator = comparator;
        bulk = new RemoteSortedBulk<>(this, calls);
    }

    @Override
    protected final SortedMapRange<K, V> whole() {
        return this;
    }

    @Override
    protected final Comparator<K> keyOrder() {
        return order;
    }

    @Override
    protected final @Nullable Comparator<? super K> wholeComparator() {
        return comparator;
    }

    @Override
    protected final void check() {
        calls.checkOpen();
    }

    // ---- bytes ----

    /** Returns the bytes of a key; a key of another class is refused by the order. */
    final byte[] key(Object key) {
        @SuppressWarnings("unchecked") final K typed = (K) Objects.requireNonNull(key);
        order.compare(typed, typed);
        return CollectionCalls.bytes(keys, typed);
    }

    /** Returns the bytes of a key of an entry to be put, which has a limit. */
    final byte[] keyToPut(K key) {
        final byte[] bytes = key(key);
        final int length = switch (key) {
            case byte[] _ -> bytes.length;
            case String text when text.length() > KEY_BYTES_MAX / CHAR_BYTES_MAX ->
                text.chars().map(each -> each < ONE_BYTE ? 1 : each < TWO_BYTES ? 2 : CHAR_BYTES_MAX).sum();
            default -> 0;
        };
        if (length > KEY_BYTES_MAX) {
            throw new IllegalArgumentException("a key of " + length + " bytes; a sorted map has keys of up to "
                + KEY_BYTES_MAX);
        }
        return bytes;
    }

    final K key(PageEntry entry) {
        return CollectionCalls.object(keys, entry.key());
    }

    final V value(PageEntry entry) {
        return CollectionCalls.object(values, entry.value());
    }

    final @Nullable V value(byte @Nullable [] bytes) {
        return bytes == null ? null : CollectionCalls.object(values, bytes);
    }

    final byte[] valueBytes(byte[] key, V value) {
        final byte[] bytes = CollectionCalls.bytes(values, Objects.requireNonNull(value));
        CollectionCalls.checkLength((long) key.length + bytes.length);
        return bytes;
    }

    /** Returns the bytes of a value that was made of another value. */
    private byte[] valueBytes(byte[] key, V value, byte @Nullable [] base) {
        final byte[] bytes = values.over(Objects.requireNonNull(value), base);
        CollectionCalls.checkLength((long) key.length + bytes.length);
        return bytes;
    }

    /** Returns the codec of the values. */
    final FormCodec<V> forms() {
        return values;
    }

    /** Returns the bytes of a value at the owner, or null. */
    final byte @Nullable [] find(byte[] key) {
        return near.get(key, () -> calls.value(CollectionMode.SORTED_GET, 0, key));
    }

    /** Returns the bytes of a value for a caller who only reads, perhaps from a copy, or null. */
    final byte @Nullable [] findNear(byte[] key) {
        return near.getNear(key, () -> calls.value(CollectionMode.SORTED_GET, 0, key));
    }

    /** Returns the copies of the map. */
    final NearReads near() {
        return near;
    }

    final Outcome send(MapMode mode, byte[] key, byte[] expected, byte[] value) {
        return near.change(key, () ->
            calls.change(CollectionMode.ofChange(mode), key.length, expected.length, key, expected, value));
    }

    /** Makes a change that returns the value before. */
    private byte @Nullable [] change(MapMode mode, byte[] key, byte[] value) {
        Outcome outcome = send(mode, key, NONE, value);
        while (outcome.isTooLong()) {
            final byte[] before = find(key);
            if (before != null && (mode == MapMode.PUT_IF_ABSENT
                || isChanged(key, before, mode == MapMode.REMOVE ? null : value))) {
                return before;
            }
            outcome = send(mode, key, NONE, value);
        }
        return outcome.value();
    }

    /** Replaces a value, or removes the entry, if the value has expected bytes. */
    private boolean isChanged(byte[] key, byte[] expected, byte @Nullable [] next) {
        return next == null ? send(MapMode.REMOVE_IF_SAME, key, expected, NONE).isDone()
            : send(MapMode.REPLACE_IF_SAME, key, expected, next).isDone();
    }

    // ---- one entry ----

    @Override
    public final @Nullable V get(Object key) {
        return value(findNear(key(key)));
    }

    @Override
    public final boolean containsKey(Object key) {
        return findNear(key(key)) != null;
    }

    @Override
    public final boolean set(K key, V value) {
        return set(keyToPut(key), value);
    }

    final boolean set(byte[] key, V value) {
        return !send(MapMode.SET, key, NONE, valueBytes(key, value)).isDone();
    }

    final boolean setBytes(byte[] key, byte[] value) {
        CollectionCalls.checkLength((long) key.length + value.length);
        return !send(MapMode.SET, key, NONE, value).isDone();
    }

    @Override
    public final boolean delete(K key) {
        return delete(key(key));
    }

    final boolean delete(byte[] key) {
        return send(MapMode.DELETE, key, NONE, NONE).isDone();
    }

    @Override
    public final @Nullable V put(K key, V value) {
        final byte[] bytes = keyToPut(key);
        return value(change(MapMode.PUT, bytes, valueBytes(bytes, value)));
    }

    @Override
    public final @Nullable V putIfAbsent(K key, V value) {
        final byte[] bytes = keyToPut(key);
        return value(change(MapMode.PUT_IF_ABSENT, bytes, valueBytes(bytes, value)));
    }

    @Override
    public final @Nullable V replace(K key, V value) {
        final byte[] bytes = key(key);
        return value(change(MapMode.REPLACE, bytes, valueBytes(bytes, value)));
    }

    @Override
    public final @Nullable V remove(Object key) {
        return value(change(MapMode.REMOVE, key(key), NONE));
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // an identical object is not written again
    protected final void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        @SuppressWarnings("unchecked") final K typed = (K) Objects.requireNonNull(key);
        final byte[] bytes = isPut ? keyToPut(typed) : key(typed);
        boolean isDone = false;
        while (!isDone) {
            final byte[] found = find(bytes);
            final V before = value(found);
            final V after = change.apply(before);
            if (after == null) {
                isDone = found == null || isChanged(bytes, found, null);
            } else if (!isAlways && after == before && !values.isOlder(found)) {
                isDone = true;
            } else {
                final byte[] next = valueBytes(bytes, after, found);
                isDone = found == null ? isPutIfAbsent(bytes, next) : isChanged(bytes, found, next);
            }
        }
    }

    private boolean isPutIfAbsent(byte[] key, byte[] value) {
        final Outcome outcome = send(MapMode.PUT_IF_ABSENT, key, NONE, value);
        return outcome.value() == null && !outcome.isTooLong();
    }

    // ---- functions at the owner ----

    @Override
    public final @Nullable V apply(K key, ValueChange<? super V> change) {
        final byte[] bytes = keyToPut(key);
        final RawFunction function = RawFunction.of(change, values.own());
        final byte[] code = values.guarded(function.toBytes());
        while (true) {
            final Outcome outcome = send(MapMode.APPLY, bytes, NONE, code);
            if (!outcome.isTooLong()) {
                return value(outcome.value());
            }
            final byte[] before = find(bytes);
            final byte[] after = before == null ? null : applied(function, before);
            if (before != null && (after == null || isChanged(bytes, before, after))) {
                return value(after == null ? before : after);
            }
        }
    }

    /** Applies a function to a value of any form, here; returns null if nothing changes. */
    private byte @Nullable [] applied(RawFunction function, byte[] before) {
        final byte[] plain = values.plain(before);
        final byte[] after = function.apply(plain, plain.length);
        return after == null ? null : values.over(after, before);
    }

    @Override
    public final boolean modify(K key, ValueChange<? super V> change) {
        final byte[] bytes = keyToPut(key);
        final RawFunction function = RawFunction.of(change, values.own());
        final byte[] code = values.guarded(function.toBytes());
        Outcome outcome = send(MapMode.MODIFY, bytes, NONE, code);
        while (outcome.isTooLong()) {                           // a value of another form
            final byte[] before = find(bytes);
            final byte[] after = before == null ? null : applied(function, before);
            if (before != null && (after == null || isChanged(bytes, before, after))) {
                return after != null;
            }
            outcome = send(MapMode.MODIFY, bytes, NONE, code);
        }
        return outcome.isDone();
    }

    /** Calls a registered function; returns the result of the function, or null. */
    final byte @Nullable [] call(K key, byte[] call) {
        final byte[] bytes = keyToPut(key);
        final byte[] guarded = values.guarded(call);
        Outcome outcome = send(MapMode.CALL, bytes, NONE, guarded);
        while (outcome.isTooLong()) {                           // a value of another form: it gets the caller's form
            final byte[] before = find(bytes);
            if (before != null) {
                values.requireNothingLost(before);
                isChanged(bytes, before, values.sealed(values.plain(before)));
            }
            outcome = send(MapMode.CALL, bytes, NONE, guarded);
        }
        return outcome.value();
    }

    /** Returns the ranges of the map. */
    final RemoteRanges<K> ranges() {
        return new RemoteRanges<>(this, calls);
    }

    /** Returns the requests to the parts. */
    final SortedCalls calls() {
        return calls;
    }

    final ClusterClient client() {
        return calls.client();
    }

    /** Begins a stream of the changes of this map. */
    final ChangeStream<K, V> watch(WatchOptions options) {
        check();
        return new RemoteChanges<>(new WatchedCollection<>(calls.whole(), keys, values), keys, options);
    }

    /** Functions run while nothing is locked, so they may use the map. */
    @Override
    protected final void beginCall() {
        check();
    }

    @Override
    protected final void endCall() {
        // nothing has begun
    }

    // ---- for the views ----

    @Override
    protected final Removal removeShown(K key, EncodedBytes value) {
        final byte[] bytes = key(key);
        final Outcome outcome = send(MapMode.REMOVE_IF_SAME, bytes, Arrays.copyOf(value.bytes(), value.length()), NONE);
        if (outcome.isDone()) {
            return Removal.REMOVED;
        }
        final byte[] found = outcome.isTooLong() ? find(bytes) : outcome.value();
        if (found == null) {
            return Removal.ABSENT;
        }
        value.set(found, 0, found.length);
        return Removal.CHANGED;
    }

    @Override
    protected final void encode(V value, EncodedBytes target) {
        final byte[] bytes = CollectionCalls.bytes(values, Objects.requireNonNull(value));
        target.set(bytes, 0, bytes.length);
    }

    @Override
    protected final V decode(EncodedBytes value) {
        return CollectionCalls.object(values, Arrays.copyOf(value.bytes(), value.length()));
    }

    // ---- walks ----

    private KeyRange range(KeyBounds<K> bounds, boolean upwards) {
        final K low = bounds.low();
        final K high = bounds.high();
        return new KeyRange(low == null ? null : key(low), bounds.isLowIn(), high == null ? null : key(high),
            bounds.isHighIn(), upwards);
    }

    /** Returns the entries of a range; the result is 0 if these are all. */
    final CollectionCalls.Page page(KeyRange range, boolean hasValues, int most) {
        final byte[] bytes = CollectionCalls.bytes(KeyRange.CODEC, range);
        return near.walk(() -> calls.page(CollectionMode.SORTED_PAGE, hasValues ? 1 : 0, most, bytes));
    }

    @Override
    protected final EntryCursor<K, V> walk(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        return new RemoteSortedWalk<>(this, range(shown, upwards), hasValues, 1);
    }

    @Override
    protected final EntryRange<K, V> walks(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        final KeyRange range = range(shown, upwards);
        return new EntryRange<>() {
            @Override
            public EntryCursor<K, V> cursor() {
                return new RemoteSortedWalk<>(RemoteSortedMap.this, range, hasValues, 0);
            }

            @Override
            public @Nullable EntryRange<K, V> cut() {
                check();
                return null;
            }

            @Override
            public long estimate() {
                check();
                return Long.MAX_VALUE;
            }
        };
    }

    @Override
    protected final long count(KeyBounds<K> shown) {
        return near.walk(() -> bulk.count(range(shown, true)));
    }

    @Override
    protected final @Nullable Entry<K, V> poll(KeyBounds<K> shown, boolean upwards) {
        final KeyRange range = range(shown, upwards);
        while (true) {
            final Outcome outcome = near.walk(() -> calls.change(CollectionMode.SORTED_POLL, 0, 0,
                CollectionCalls.bytes(KeyRange.CODEC, range)));
            if (!outcome.isTooLong()) {
                return entry(outcome.value());
            }
            final List<PageEntry> first = page(range, true, 1).entries();
            if (!first.isEmpty() && isChanged(first.getFirst().key(), first.getFirst().value(), null)) {
                return new SimpleImmutableEntry<>(key(first.getFirst()), value(first.getFirst()));
            }
        }
    }

    private @Nullable Entry<K, V> entry(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        final int value = Integer.BYTES + MemorySegment.ofArray(bytes).get(OperationFormat.INT, 0);
        return new SimpleImmutableEntry<>(CollectionCalls.object(keys, Arrays.copyOfRange(bytes, Integer.BYTES, value)),
            CollectionCalls.object(values, Arrays.copyOfRange(bytes, value, bytes.length)));
    }

    // ---- all entries ----

    @Override
    public final long longSize() {
        return calls.number(OperationFormat.MAP_ENTRIES);
    }

    @Override
    public final long memoryBytes() {
        return calls.number(OperationFormat.MAP_MEMORY);
    }

    @Override
    public final void audit() {
        calls.number(OperationFormat.MAP_AUDIT);
    }

    @Override
    public final Map<K, V> getAll(Collection<? extends K> wanted) {
        return bulk.getAll(wanted);
    }

    @Override
    public final void putAll(Map<? extends K, ? extends V> entries) {
        check();
        bulk.putAll(entries);
    }

    @Override
    protected final boolean deleteEach(Collection<?> others) {
        return bulk.deleteEach(others);
    }

    @Override
    public final void clear() {
        clear(bounds());
    }

    @Override
    protected final void clear(KeyBounds<K> shown) {
        final byte[] range = CollectionCalls.bytes(KeyRange.CODEC, range(shown, true));
        while (near.walk(() -> calls.change(CollectionMode.SORTED_CLEAR, Long.MAX_VALUE, 0, range)).result() > 0) {
            check();
        }
    }

    private static UnsupportedOperationException inPlace() {
        return new UnsupportedOperationException("values of a cluster are not read or changed in place; use get and "
            + "compute");
    }

    @Override
    public final boolean read(K key, ReadScope scope) {
        throw inPlace();
    }

    @Override
    public final boolean update(K key, EditScope scope) {
        throw inPlace();
    }
}
