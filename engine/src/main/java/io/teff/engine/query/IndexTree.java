package io.teff.engine.query;

import io.teff.engine.collect.ChunkSortedMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The places of the entries of a map in one index: a sorted map of bytes.
 * <pre>
 *  not unique, or with a null    key:  | fields | key of the entry |       value: empty
 *  unique                        key:  | fields |                          value: | key of the entry |
 * </pre>
 * Each entry has one place, also if fields are null. Thread-safe.
 */
final class IndexTree<V> {
    private static final byte[] EMPTY = {};

    private final String name;
    private final boolean isUnique;
    private final SortKey<V> sortKey;
    private final ChunkSortedMap<byte[], byte[]> places;
    /** Whether queries may use the index. */
    private volatile boolean isReady;

    IndexTree(String name, boolean isUnique, SortKey<V> sortKey, ChunkSortedMap<byte[], byte[]> places) {
        this.name = name;
        this.isUnique = isUnique;
        this.sortKey = sortKey;
        this.places = places;
    }

    String name() {
        return name;
    }

    boolean isUnique() {
        return isUnique;
    }

    SortKey<V> sortKey() {
        return sortKey;
    }

    ChunkSortedMap<byte[], byte[]> places() {
        return places;
    }

    boolean isReady() {
        return isReady;
    }

    void setReady() {
        isReady = true;
    }

    private boolean isApart(byte[] fields) {
        return isUnique && !sortKey.hasNull(fields);
    }

    private static byte[] joined(byte[] fields, byte[] key) {
        byte[] joined = Arrays.copyOf(fields, fields.length + key.length);
        System.arraycopy(key, 0, joined, fields.length, key.length);
        return joined;
    }

    /**
     * Adds the place of an entry.
     *
     * @param row value of the entry, for the message
     * @return whether the place is new
     * @throws UniqueViolationException if another entry has these fields and the index is unique
     */
    boolean add(byte[] fields, byte[] key, Row<V> row) {
        if (!isApart(fields)) {
            return places.set(joined(fields, key), EMPTY);
        }
        byte[] other = places.putIfAbsent(fields, key);
        if (other != null && !Arrays.equals(other, key)) {
            throw new UniqueViolationException(name, sortKey.describe(row));
        }
        return other == null;
    }

    /** Removes the place of an entry, if there is one. */
    void remove(byte[] fields, byte[] key) {
        if (isApart(fields)) {
            places.computeIfPresent(fields, (_, known) -> Arrays.equals(known, key) ? null : known);
        } else {
            places.delete(joined(fields, key));
        }
    }

    /** Returns the fields of a place. */
    byte[] fields(byte[] place) {
        int end = sortKey.end(place);
        return end == place.length ? place : Arrays.copyOf(place, end);
    }

    /** Returns where the key of the entry begins, in the array that {@link #keyArray} returns. */
    int keyFrom(byte[] place) {
        return isApart(place) ? 0 : sortKey.end(place);
    }

    /** Returns the array that ends with the key of the entry. */
    byte[] keyArray(byte[] place, byte[] value) {
        return isApart(place) ? value : place;
    }

    /** Returns the places at or above {@code low} and below {@code high}, if any. */
    NavigableMap<byte[], byte[]> range(byte[] low, byte @Nullable [] high) {
        if (high == null) {
            return places.tailMap(low, true);
        }
        return Arrays.compareUnsigned(low, high) >= 0 ? Collections.emptyNavigableMap()
            : places.subMap(low, true, high, false);
    }
}
