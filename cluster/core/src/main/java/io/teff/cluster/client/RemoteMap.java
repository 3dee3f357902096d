package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.map.AtomicMap;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.EntryRange;
import io.teff.engine.map.Removal;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map of a cluster: each operation on an entry is done at the owner of the partition of its key. Thread-safe.
 *
 * <p><b>Functions</b> of the application run at the client: read, compute, and replace if the value is still the same.
 * So a function may run more than once.
 *
 * <p><b>Long values.</b> The slot of a change has no room for a long value before the change. Then nothing is done, and
 * the client reads the value, and changes the entry if the value is still the same: two round trips, with the same
 * promise.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
class RemoteMap<K, V> extends AtomicMap<K, V> implements ChunkMap<K, V> {
    private final RemotePartitions partitions;
    private final MapCalls calls;
    private final Codec<K> keys;
    private final FormCodec<V> values;
    private final RemoteBulk<K, V> bulk;

    RemoteMap(RemotePartitions partitions, Codec<K> keys, FormCodec<V> values) {
        this.partitions = partitions;
        this.keys = keys;
        this.values = values;
        calls = partitions.calls();
        bulk = new RemoteBulk<>(this);
    }

    /** Begins a stream of the changes of this map. */
    final ChangeStream<K, V> watch(WatchOptions options) {
        check();
        return new RemoteChanges<>(new WatchedMap<>(this), keys, options);
    }

    final RemotePartitions partitions() {
        return partitions;
    }

    final RemoteBulk<K, V> bulk() {
        return bulk;
    }

    // ---- bytes ----

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        final Output out = Output.growing(64);
        out.putValue(codec, value);
        return out.toByteArray();
    }

    private static <T> T object(Codec<T> codec, byte[] bytes, int from, int length) {
        final Input in = new Input(bytes, from, length);
        final T value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the object");
        }
        return value;
    }

    final K key(byte[] bytes, int from, int length) {
        return object(keys, bytes, from, length);
    }

    final V value(byte[] bytes, int from, int length) {
        return object(values, bytes, from, length);
    }

    final @Nullable V value(byte @Nullable [] bytes) {
        return bytes == null ? null : value(bytes, 0, bytes.length);
    }

    private byte[] key(Object key) {
        @SuppressWarnings("unchecked") final K typed = (K) Objects.requireNonNull(key);
        return bytes(keys, typed);
    }

    final byte[] keyBytes(K key) {
        return bytes(keys, key);
    }

    final byte[] valueBytes(V value) {
        return bytes(values, Objects.requireNonNull(value));
    }

    /** Returns the bytes of a key, or null if the codec refuses the key: such a key was never put. */
    final byte @Nullable [] keyToFind(Object key) {
        try {
            return key(key);
        } catch (ClassCastException | IllegalArgumentException e) {
            check();
            return null;
        }
    }

    /** Returns the codec of the values. */
    final FormCodec<V> forms() {
        return values;
    }

    /** Returns the bytes of a value that was made of another value. */
    private byte[] valueBytes(V value, byte @Nullable [] base) {
        return values.over(Objects.requireNonNull(value), base);
    }

    /** Returns the bytes of an object as a value, or null if the codec refuses the object. */
    private byte @Nullable [] valueToFind(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        try {
            @SuppressWarnings("unchecked") final V typed = (V) value;
            return bytes(values, typed);
        } catch (ClassCastException | IllegalArgumentException e) {
            check();
            return null;
        }
    }

    /** Returns the bytes of a value at the owner, or null. */
    final byte @Nullable [] find(byte[] key) {
        return partitions.get(key);
    }

    /** Returns the bytes of a value for a caller who only reads, perhaps from a copy, or null. */
    final byte @Nullable [] findNear(byte[] key) {
        return partitions.getNear(key);
    }

    final MapCalls.Outcome send(MapMode mode, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        return partitions.change(mode, key, expected, value);
    }

    /** Makes a change that returns the value before. */
    private byte @Nullable [] change(MapMode mode, byte[] key, byte @Nullable [] value) {
        MapCalls.Outcome outcome = send(mode, key, null, value);
        while (outcome.isTooLong()) {
            final byte[] before = find(key);
            if (before != null && (mode == MapMode.PUT_IF_ABSENT || isChanged(key, before, value))) {
                return before;
            }
            outcome = send(mode, key, null, value);
        }
        return outcome.value();
    }

    /** Replaces a value, or removes the entry, if the value has expected bytes. */
    private boolean isChanged(byte[] key, byte[] expected, byte @Nullable [] next) {
        return send(next == null ? MapMode.REMOVE_IF_SAME : MapMode.REPLACE_IF_SAME, key, expected, next).isDone();
    }

    /** Replaces a value, or removes the entry, if the value is equal to an object. */
    private boolean isChangedIfEqual(Object key, @Nullable Object expected, @Nullable V next) {
        final byte[] bytesOfKey = keyToFind(key);
        byte[] wanted = valueToFind(expected);
        if (next != null) {
            valueBytes(next);                                   // refuses a value whatever is in the map
        }
        while (bytesOfKey != null && wanted != null) {
            final byte[] bytes = next == null ? null : valueBytes(next, wanted);
            final MapCalls.Outcome outcome = send(bytes == null ? MapMode.REMOVE_IF_SAME : MapMode.REPLACE_IF_SAME,
                bytesOfKey, wanted, bytes);
            if (outcome.isDone()) {
                return true;
            }
            final byte[] found = outcome.isTooLong() ? find(bytesOfKey) : outcome.value();
            final V present = value(found);
            wanted = present != null && present.equals(expected) ? found : null;
        }
        return false;
    }

    // ---- one entry ----

    @Override
    public final @Nullable V get(Object key) {
        final byte[] bytes = keyToFind(key);
        return bytes == null ? null : value(findNear(bytes));
    }

    @Override
    public final boolean containsKey(Object key) {
        final byte[] bytes = keyToFind(key);
        return bytes != null && findNear(bytes) != null;
    }

    @Override
    public final boolean set(K key, V value) {
        return !send(MapMode.SET, key(key), null, valueBytes(value)).isDone();
    }

    @Override
    public final boolean delete(K key) {
        final byte[] bytes = keyToFind(key);
        return bytes != null && send(MapMode.DELETE, bytes, null, null).isDone();
    }

    @Override
    public final @Nullable V put(K key, V value) {
        return value(change(MapMode.PUT, key(key), valueBytes(value)));
    }

    @Override
    public final @Nullable V putIfAbsent(K key, V value) {
        return value(change(MapMode.PUT_IF_ABSENT, key(key), valueBytes(value)));
    }

    @Override
    public final @Nullable V replace(K key, V value) {
        return value(change(MapMode.REPLACE, key(key), valueBytes(value)));
    }

    @Override
    public final boolean replace(K key, V oldValue, V newValue) {
        Objects.requireNonNull(oldValue);
        return isChangedIfEqual(key, oldValue, Objects.requireNonNull(newValue));
    }

    @Override
    public final @Nullable V remove(Object key) {
        final byte[] bytes = keyToFind(key);
        return bytes == null ? null : value(change(MapMode.REMOVE, bytes, null));
    }

    @Override
    public final boolean remove(Object key, @Nullable Object value) {
        Objects.requireNonNull(key);
        return isChangedIfEqual(key, value, null);
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // an identical object is not written again
    protected final void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        final byte[] bytes = isPut ? key(key) : keyToFind(key);
        boolean isDone = bytes == null;
        while (!isDone && bytes != null) {
            final byte[] found = find(bytes);
            final V before = value(found);
            final V after = change.apply(before);
            if (after == null) {
                isDone = found == null || isChanged(bytes, found, null);
            } else if (!isAlways && after == before && !values.isOlder(found)) {
                isDone = true;
            } else {
                final byte[] next = valueBytes(after, found);
                isDone = found == null ? isPutIfAbsent(bytes, next) : isChanged(bytes, found, next);
            }
        }
    }

    // ---- functions at the owner ----

    @Override
    public final @Nullable V apply(K key, ValueChange<? super V> change) {
        final byte[] bytes = key(key);
        final RawFunction function = RawFunction.of(change, values.own());
        final byte[] code = values.guarded(function.toBytes());
        while (true) {
            final MapCalls.Outcome outcome = send(MapMode.APPLY, bytes, null, code);
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
        return isModified(key(key), RawFunction.of(change, values.own()));
    }

    /** Modifies an entry; a value of another form is read and replaced. */
    final boolean isModified(byte[] key, RawFunction function) {
        final byte[] code = values.guarded(function.toBytes());
        MapCalls.Outcome outcome = send(MapMode.MODIFY, key, null, code);
        while (outcome.isTooLong()) {
            final byte[] before = find(key);
            final byte[] after = before == null ? null : applied(function, before);
            if (before != null && (after == null || isChanged(key, before, after))) {
                return after != null;
            }
            outcome = send(MapMode.MODIFY, key, null, code);
        }
        return outcome.isDone();
    }

    @Override
    public final int modifyAll(Collection<? extends K> several, ValueChange<? super V> change) {
        check();
        return bulk.modifyAll(several, RawFunction.of(change, values.own()));
    }

    /** Calls a registered function; returns the result of the function, or null. */
    final byte @Nullable [] call(K key, byte[] call) {
        final byte[] bytes = key(key);
        final byte[] guarded = values.guarded(call);
        MapCalls.Outcome outcome = send(MapMode.CALL, bytes, null, guarded);
        while (outcome.isTooLong()) {                           // a value of another form: it gets the caller's form
            final byte[] before = find(bytes);
            if (before != null) {
                values.requireNothingLost(before);
                isChanged(bytes, before, values.sealed(values.plain(before)));
            }
            outcome = send(MapMode.CALL, bytes, null, guarded);
        }
        return outcome.value();
    }

    final ClusterClient client() {
        return calls.client();
    }

    private boolean isPutIfAbsent(byte[] key, byte[] value) {
        final MapCalls.Outcome outcome = send(MapMode.PUT_IF_ABSENT, key, null, value);
        return outcome.value() == null && !outcome.isTooLong();
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
    protected final void check() {
        calls.client().checkOpen();
    }

    @Override
    protected final Removal removeShown(K key, EncodedBytes value) {
        final byte[] bytes = key(key);
        final byte[] expected = Arrays.copyOf(value.bytes(), value.length());
        final MapCalls.Outcome outcome = send(MapMode.REMOVE_IF_SAME, bytes, expected, null);
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
        final byte[] bytes = valueBytes(value);
        target.set(bytes, 0, bytes.length);
    }

    @Override
    protected final V decode(EncodedBytes value) {
        return value(value.bytes(), 0, value.length());
    }

    @Override
    protected final EntryRange<K, V> range(boolean hasValues) {
        return new RemoteRange<>(this, hasValues, 0, partitions.count());
    }

    // ---- all entries ----

    /** Returns the sum of a number of all partitions: of numbers of several moments, if the map changes meanwhile. */
    private long sum(int which) {
        check();
        return calls.batches().sum(which, partitions.roots(0, partitions.count()));
    }

    @Override
    public final long longSize() {
        return sum(OperationFormat.MAP_ENTRIES);
    }

    @Override
    public final long memoryBytes() {
        return sum(OperationFormat.MAP_MEMORY);
    }

    @Override
    public final void audit() {
        sum(OperationFormat.MAP_AUDIT);
    }

    /** Removes the entries that a walk shows; entries that are put meanwhile may stay. */
    @Override
    public final void clear() {
        bulk.deleteIf(null);
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
    public final void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        bulk.replaceAll(Objects.requireNonNull(function));
    }

    @Override
    protected final boolean deleteEach(Collection<?> others) {
        return bulk.deleteEach(others);
    }

    @Override
    protected final boolean deleteIf(Predicate<? super K> test) {
        return bulk.deleteIf(Objects.requireNonNull(test));
    }

    @Override
    protected final boolean removeTested(BiPredicate<? super K, ? super V> test) {
        return bulk.removeTested(Objects.requireNonNull(test));
    }

    @Override
    protected final boolean containsEach(Collection<?> others) {
        return bulk.containsEach(others);
    }

    @Override
    public MapLoader<K, V> loader(long expectedEntries) {
        return new RemoteLoader<>(this, expectedEntries);
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
