package io.teff.engine.query;

import io.teff.engine.collect.ChunkMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * The indexes of a map, and queries over them.
 *
 * <pre>{@code
 * static final Field<Person, Integer> AGE = Field.of(Person.class, "age", int.class);
 * static final Field<Person, String> EMAIL = Field.of(Person.class, "email", String.class);
 *
 * ChunkMap<Long, Person> map = store.map("people", Long.class, Person.class);
 * IndexedMap<Long, Person> people = IndexedMap.of(map).index("by age", AGE).uniqueIndex("by email", EMAIL);
 * map.put(7L, ada);                                    // also changes both indexes, or throws and changes nothing
 * people.where(AGE.between(20, 30)).stream().forEach(System.out::println);
 * }</pre>
 *
 * <p>The program declares the indexes each time it has opened the map, before the first change: {@link #index} builds
 * the index when it is declared first, and opens the index later. Until all of its indexes are declared, a map of an
 * earlier process can be read, and refuses changes.
 *
 * <p><b>Threads.</b> Thread-safe. All objects for one map share its indexes.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class IndexedMap<K, V> {
    private final ChunkMap<K, V> map;
    private final MapIndexes<K, V> indexes;

    private IndexedMap(ChunkMap<K, V> map) {
        this.map = map;
        this.indexes = MapIndexes.of(map);
    }

    /**
     * Returns the indexes of a map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param map a hash map with a name, of a store in memory or a durable store
     * @return its indexes
     * @throws IllegalArgumentException if the map is of another kind, such as a map of a cluster
     */
    public static <K, V> IndexedMap<K, V> of(ChunkMap<K, V> map) {
        return new IndexedMap<>(map);
    }

    /** {@return the map} */
    public ChunkMap<K, V> map() {
        return map;
    }

    // ---- indexes ----

    /**
     * Declares an index by one or several fields: opens the index, or builds it if there is none. While it is built,
     * other threads may change the map, and other queries do not use the index.
     *
     * @param name name of the index in this map
     * @param fields the fields; entries are ordered by the first one, then by the next
     * @return this
     * @throws IllegalArgumentException if the map has an index with this name by other fields; or if an entry has
     *     fields and key of more than 1,024 bytes together
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory or the disk does not suffice;
     *     then there is no index
     */
    @SafeVarargs
    @SuppressWarnings("varargs")                                // the array is only read
    public final IndexedMap<K, V> index(String name, Field<V, ?>... fields) {
        indexes.declare(name, false, List.of(fields));
        return this;
    }

    /**
     * Declares an index in which no two entries have equal fields, like {@link #index}. Entries with a field that is
     * null are not restricted.
     *
     * @param name name of the index in this map
     * @param fields one or several fields, which together are unique
     * @return this
     * @throws UniqueViolationException if two entries have equal fields; then there is no index
     * @throws IllegalArgumentException like {@link #index}
     */
    @SafeVarargs
    @SuppressWarnings("varargs")                                // the array is only read
    public final IndexedMap<K, V> uniqueIndex(String name, Field<V, ?>... fields) {
        indexes.declare(name, true, List.of(fields));
        return this;
    }

    /**
     * Drops an index, also one that was not declared. Other threads may use the map meanwhile.
     *
     * @param name name of the index
     * @return whether there was one
     */
    public boolean dropIndex(String name) {
        return indexes.drop(name);
    }

    /** {@return the indexes of the map, also those that were not declared yet} */
    public List<IndexInfo> indexes() {
        return indexes.all();
    }

    /**
     * Checks that each index has each entry of the map once, and nothing else, while writers wait.
     *
     * @throws io.teff.engine.error.StoreException of category FATAL, naming the index that differs
     */
    public void audit() {
        indexes.audit();
    }

    // ---- queries ----

    /**
     * Begins a query.
     *
     * @param condition a condition on a field
     * @return the query of the entries that meet the condition
     */
    public Query<K, V> where(Condition<V> condition) {
        return all().and(condition);
    }

    /** {@return the query of all entries} */
    public Query<K, V> all() {
        return new Query<>(indexes);
    }

    /** {@return the values of all entries} */
    public Stream<V> stream() {
        return all().stream();
    }

    /**
     * Reads some fields of all entries, as {@link Query#project}.
     *
     * @param <P> the smaller record
     * @param fields a record with some of the fields
     * @return the fields of each entry
     */
    public <P> Stream<P> project(Class<P> fields) {
        return all().project(fields);
    }
}
