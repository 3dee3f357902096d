package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.error.Status;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.Removal;
import io.teff.engine.raw.RawFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a {@link RemoteMap} on many entries: walks and changes by batches. An entry whose value is not the
 * shown value any more, when its change arrives, is looked at once more. Thread-safe.
 */
final class RemoteBulk<K, V> {
    private final RemoteMap<K, V> map;
    private final RemotePartitions partitions;

    RemoteBulk(RemoteMap<K, V> map) {
        this.map = map;
        partitions = map.partitions();
    }

    // ---- keys ----

    /** Takes the value of a key that was found. */
    private interface Values<T> {
        void take(T key, byte[] value);
    }

    /** Reads the values of many keys in batches. Leaves out keys that the codec refuses: such keys were never put. */
    private <T> void get(Collection<? extends T> wanted, Values<T> values) {
        map.check();
        final List<T> keys = new ArrayList<>();
        final List<byte[]> bytes = new ArrayList<>();
        long length = 0;
        for (T key : wanted) {
            final byte[] next = map.keyToFind(Objects.requireNonNull(key));
            if (next == null) {
                continue;
            }
            keys.add(key);
            bytes.add(next);
            length += next.length;
            if (keys.size() == MapBatches.ENTRIES_MAX || length >= MapBatches.BYTES_MAX) {
                getBatch(keys, bytes, values);
                length = 0;
            }
        }
        getBatch(keys, bytes, values);
    }

    private <T> void getBatch(List<T> keys, List<byte[]> bytes, Values<T> values) {
        if (!keys.isEmpty()) {
            partitions.getNear(bytes.toArray(byte[][]::new), (key, value) -> values.take(keys.get(key), value));
            keys.clear();
            bytes.clear();
        }
    }

    Map<K, V> getAll(Collection<? extends K> wanted) {
        final Map<K, V> all = HashMap.newHashMap(wanted.size());
        this.<K>get(wanted, (key, bytes) -> all.put(key, map.value(bytes, 0, bytes.length)));
        return all;
    }

    /** Reads the values of keys of few bytes. */
    void getAll(List<byte[]> keys, MapBatches.Found found) {
        map.check();
        for (int from = 0; from < keys.size(); from += MapBatches.ENTRIES_MAX) {
            final int first = from;
            final List<byte[]> part = keys.subList(from, Math.min(from + MapBatches.ENTRIES_MAX, keys.size()));
            partitions.getNear(part.toArray(byte[][]::new), (key, value) -> found.take(first + key, value));
        }
    }

    boolean containsEach(Collection<?> keys) {
        final int[] found = new int[1];
        this.<Object>get(keys, (_, _) -> found[0]++);
        return found[0] == keys.size();
    }

    void putAll(Map<? extends K, ? extends V> entries) {
        final MapChanges changes = new MapChanges(partitions, MapMode.SET, MapChanges.Outcomes.NONE);
        entries.forEach((key, value) -> changes.add(map.keyBytes(Objects.requireNonNull(key)), null,
            map.valueBytes(value)));
        changes.flush();
    }

    /** Puts entries with a value whose keys are absent; returns whether there was one. */
    boolean putAllIfAbsent(Collection<? extends K> keys, V value) {
        final MapChanges.AnyDone done = new MapChanges.AnyDone();
        final MapChanges changes = new MapChanges(partitions, MapMode.PUT_IF_ABSENT, done);
        final byte[] bytes = map.valueBytes(value);
        keys.forEach(key -> changes.add(map.keyBytes(Objects.requireNonNull(key)), null, bytes));
        changes.flush();
        return done.isDone();
    }

    int modifyAll(Collection<? extends K> keys, RawFunction function) {
        final int[] changes = new int[1];
        final boolean[] isOutside = new boolean[1];
        final List<byte[]> others = new ArrayList<>();
        final MapChanges batch = new MapChanges(partitions, MapMode.MODIFY, (key, result) -> {
            changes[0] += result == Status.OK ? 1 : 0;
            isOutside[0] |= result == Status.OUT_OF_RANGE;
            if (result == Status.TOO_SMALL) {
                others.add(key);                                // its value has the form of another program
            }
        });
        final byte[] code = map.forms().guarded(function.toBytes());
        keys.forEach(key -> batch.add(map.keyBytes(Objects.requireNonNull(key)), null, code));
        batch.flush();
        for (byte[] key : others) {
            changes[0] += map.isModified(key, function) ? 1 : 0;
        }
        if (isOutside[0]) {
            throw MapCalls.outside();
        }
        return changes[0];
    }

    boolean deleteEach(Collection<?> keys) {
        map.check();
        final MapChanges.AnyDone done = new MapChanges.AnyDone();
        final MapChanges changes = new MapChanges(partitions, MapMode.DELETE, done);
        for (Object key : keys) {
            final byte[] bytes = map.keyToFind(Objects.requireNonNull(key));
            if (bytes != null) {
                changes.add(bytes, null, null);
            }
        }
        changes.flush();
        return done.isDone();
    }

    // ---- walks ----

    private RemoteRange.Walk<K, V> walk(boolean hasValues) {
        map.check();
        return new RemoteRange<>(map, hasValues, 0, partitions.count()).cursor();
    }

    /** Removes the entries of keys that a test accepts; null accepts all keys. */
    boolean deleteIf(@Nullable Predicate<? super K> test) {
        final MapChanges.AnyDone done = new MapChanges.AnyDone();
        final MapChanges changes = new MapChanges(partitions, MapMode.DELETE, done);
        try (RemoteRange.Walk<K, V> walk = walk(false)) {
            while (walk.next()) {
                if (test == null || test.test(walk.key())) {
                    changes.add(walk.keyBytes(), null, null);
                }
            }
        }
        changes.flush();
        return done.isDone();
    }

    /** Removes the entries that a test accepts. */
    boolean removeTested(BiPredicate<? super K, ? super V> test) {
        final MapChanges.AnyDone done = new MapChanges.AnyDone();
        final List<byte[]> again = new ArrayList<>();
        final MapChanges changes = new MapChanges(partitions, MapMode.REMOVE_IF_SAME, (key, result) -> {
            done.take(key, result);
            if (result == Status.EXISTS) {
                again.add(key);
            }
        });
        boolean isChanged = false;
        try (RemoteRange.Walk<K, V> walk = walk(true)) {
            while (walk.next()) {
                if (test.test(walk.key(), walk.value())) {
                    changes.add(walk.keyBytes(), walk.valueBytes(), null);
                    isChanged |= removeAgain(again, test);
                }
            }
        }
        changes.flush();
        return removeAgain(again, test) | isChanged | done.isDone();
    }

    /** Tests entries whose values have changed meanwhile. */
    private boolean removeAgain(List<byte[]> again, BiPredicate<? super K, ? super V> test) {
        boolean isChanged = false;
        for (byte[] bytes : again) {
            final K key = map.key(bytes, 0, bytes.length);
            Removal removal = Removal.CHANGED;
            while (removal == Removal.CHANGED) {
                final byte[] found = map.find(bytes);
                if (found == null || !test.test(key, map.value(found, 0, found.length))) {
                    break;
                }
                final EncodedBytes shown = new EncodedBytes();
                shown.set(found, 0, found.length);
                removal = map.removeShown(key, shown);
            }
            isChanged |= removal == Removal.REMOVED;
        }
        again.clear();
        return isChanged;
    }

    void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        final List<byte[]> again = new ArrayList<>();
        final MapChanges changes = new MapChanges(partitions, MapMode.REPLACE_IF_SAME, (key, result) -> {
            if (result == Status.EXISTS) {
                again.add(key);
            }
        });
        try (RemoteRange.Walk<K, V> walk = walk(true)) {
            while (walk.next()) {
                final byte[] key = walk.keyBytes();
                final byte[] before = walk.valueBytes();
                final byte[] after = map.forms().over(Objects.requireNonNull(function.apply(walk.key(),
                    walk.value())), before);
                if ((long) key.length + before.length + after.length + OperationFormat.ENTRY_HEAD_BYTES
                    > ClusterStore.CHUNK_BYTES_MAX) {
                    again.add(key);                             // one request has no room for both values
                } else if (!Arrays.equals(before, after)) {
                    changes.add(key, before, after);
                }
                replaceAgain(again, function);
            }
        }
        changes.flush();
        replaceAgain(again, function);
    }

    private void replaceAgain(List<byte[]> again, BiFunction<? super K, ? super V, ? extends V> function) {
        for (byte[] bytes : again) {
            map.computeIfPresent(map.key(bytes, 0, bytes.length),
                (key, before) -> Objects.requireNonNull(function.apply(key, before)));
        }
        again.clear();
    }
}
