package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.hash.ChunkHashMap;
import io.teff.engine.query.Matcher.Match;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query of a map: entries that meet all conditions, in an order, up to a number. Immutable; each method that adds
 * something returns another query. A query can be kept, and run any number of times.
 *
 * <pre>{@code
 * people.where(CITY.equalTo("Ulm")).and(AGE.between(20, 30)).orderedBy(AGE).limit(10).stream().forEach(...);
 * }</pre>
 *
 * <p>A query uses one index ({@link #explain} names the index), and tests the other conditions on the found entries.
 * Without an index the query walks over all entries. Conditions on primitive fields of records are tested without
 * decoding the value.
 *
 * <p><b>Consistency.</b> Each shown value is a value of its entry during the query, and meets all conditions. An entry
 * without a change during the query is shown once if its value meets the conditions. An entry whose indexed field
 * changes meanwhile may be shown as it was at different times, or not at all. A stream throws
 * {@link IllegalStateException} if its index is dropped meanwhile.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class Query<K, V> {
    private final MapIndexes<K, V> indexes;
    private final List<Condition<V>> conditions;
    private final List<Predicate<? super V>> filters;
    private final @Nullable Field<V, ?> orderedBy;
    private final boolean isDescending;
    private final long limit;

    /** One entry of a result, with the bytes by which the result is ordered. */
    private record Hit<K, R>(K key, R shown, byte[] order) {}

    Query(MapIndexes<K, V> indexes) {
        this(indexes, List.of(), List.of(), null, false, Long.MAX_VALUE);
    }

    private Query(MapIndexes<K, V> indexes, List<Condition<V>> conditions, List<Predicate<? super V>> filters,
                  @Nullable Field<V, ?> orderedBy, boolean isDescending, long limit) {
        this.indexes = indexes;
        this.conditions = conditions;
        this.filters = filters;
        this.orderedBy = orderedBy;
        this.isDescending = isDescending;
        this.limit = limit;
    }

    private static <E> List<E> with(List<E> list, E element) {
        List<E> longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    // ---- compose ----

    /**
     * Adds a condition.
     *
     * @param condition a condition on a field
     * @return the query of the entries that meet this condition, too
     */
    public Query<K, V> and(Condition<V> condition) {
        return new Query<>(indexes, with(conditions, condition), filters, orderedBy, isDescending, limit);
    }

    /**
     * Adds a test of values, for which no index can be used.
     *
     * @param filter called for values that meet the conditions
     * @return the query of the entries whose values the test accepts, too
     */
    public Query<K, V> filter(Predicate<? super V> filter) {
        return new Query<>(indexes, conditions, with(filters, filter), orderedBy, isDescending, limit);
    }

    /**
     * Orders the entries by a field, ascending. An index with this order is used if there is one; otherwise the found
     * entries are sorted on the heap. The order of entries with equal fields is not defined.
     *
     * @param field orders the entries
     * @return the ordered query
     */
    public Query<K, V> orderedBy(Field<V, ?> field) {
        return new Query<>(indexes, conditions, filters, field, false, limit);
    }

    /**
     * Orders the entries by a field, descending, like {@link #orderedBy}.
     *
     * @param field orders the entries
     * @return the ordered query
     */
    public Query<K, V> orderedDescendingBy(Field<V, ?> field) {
        return new Query<>(indexes, conditions, filters, field, true, limit);
    }

    /**
     * Limits the number of entries.
     *
     * @param count largest number of entries, 0 or more
     * @return the query of the first entries
     */
    public Query<K, V> limit(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("count=" + count);
        }
        return new Query<>(indexes, conditions, filters, orderedBy, isDescending, Math.min(limit, count));
    }

    // ---- run ----

    /** {@return the values of the entries, read while the stream is used} */
    public Stream<V> stream() {
        return hits(indexes.map().valueCodec()).map(Hit::shown);
    }

    /** {@return the entries, read while the stream is used} */
    public Stream<Map.Entry<K, V>> entries() {
        return hits(indexes.map().valueCodec()).map(hit -> Map.entry(hit.key(), hit.shown()));
    }

    /** {@return the keys of the entries, read while the stream is used} */
    public Stream<K> keys() {
        return hits(new Nothing()).map(Hit::key);
    }

    /**
     * Reads only some fields of the values, as objects of a smaller record. Other fields are skipped without making
     * objects. The fields match by the rules for other versions of a type: by name, and a number may be read as a wider
     * one.
     *
     * @param <P> the smaller record
     * @param fields a record with some of the fields
     * @return the fields of each entry
     * @throws io.teff.engine.codec.SchemaException if values cannot be read like that
     */
    public <P> Stream<P> project(Class<P> fields) {
        return hits(Codecs.of(fields).readerOf(indexes.map().valueCodec().describe())).map(Hit::shown);
    }

    /** {@return the values of the entries} */
    public List<V> toList() {
        return stream().toList();
    }

    /** {@return the value of the first entry} */
    public Optional<V> first() {
        return limit(1).stream().findFirst();
    }

    /** {@return the number of entries; counted in the index alone if the index decides all conditions} */
    public long count() {
        Plan<V> plan = plan();
        IndexTree<V> tree = plan.tree();
        if (filters.isEmpty() && conditions.stream().allMatch(plan::covers)) {
            return Math.min(limit, tree == null ? indexes.map().longSize() : plan.places(tree).size());
        }
        return hits(new Nothing()).count();
    }

    /**
     * Tells how the entries are found.
     *
     * @return such as {@code index 'by age' of people: age between 20 and 30; then city = 'Ulm'; first 10}
     */
    public String explain() {
        Plan<V> plan = plan();
        StringBuilder text = new StringBuilder(plan.describe(indexes.mapName()));
        String rest = conditions.stream().filter(each -> !plan.covers(each)).map(Condition::toString)
            .collect(Collectors.joining(", "));
        if (!rest.isEmpty()) {
            text.append("; then ").append(rest);
        }
        if (!filters.isEmpty()) {
            text.append("; then ").append(filters.size()).append(filters.size() == 1 ? " filter" : " filters");
        }
        if (orderedBy != null) {
            text.append("; ").append(plan.isOrdered() ? "in the order of the index" : "sorted on the heap by "
                + orderedBy.name()).append(isDescending ? ", descending" : "");
        }
        if (limit < Long.MAX_VALUE) {
            text.append("; first ").append(limit);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return explain();
    }

    // ---- find ----

    private Plan<V> plan() {
        return Plan.choose(indexes.ready(), conditions, orderedBy);
    }

    private <R> Stream<Hit<K, R>> hits(Codec<R> reader) {
        Plan<V> plan = plan();
        IndexTree<V> tree = plan.tree();
        boolean isSorted = orderedBy != null && !plan.isOrdered();
        Matcher<V, R> matcher = new Matcher<>(conditions, filters, indexes.map().valueCodec(), reader,
            isSorted ? orderedBy : null);
        Stream<Hit<K, R>> found = tree == null ? walk(matcher) : lookUp(plan, tree, matcher);
        if (isSorted) {
            Comparator<Hit<K, R>> order = (one, other) -> Arrays.compareUnsigned(one.order(), other.order());
            found = found.sorted(isDescending ? order.reversed() : order);
        }
        return limit < Long.MAX_VALUE ? found.limit(limit) : found;
    }

    private <R> Stream<Hit<K, R>> walk(Matcher<V, R> matcher) {
        ChunkHashMap<K, Optional<Match<R>>> matches = indexes.map().readBy(
            new MatchCodec<>(matcher, indexes.pool()));
        return matches.entrySet().stream().filter(entry -> entry.getValue().isPresent()).map(entry -> {
            Match<R> match = entry.getValue().orElseThrow();
            return new Hit<>(entry.getKey(), match.shown(), match.order());
        });
    }

    private <R> Stream<Hit<K, R>> lookUp(Plan<V> plan, IndexTree<V> tree, Matcher<V, R> matcher) {
        NavigableMap<byte[], byte[]> places = plan.places(tree);
        if (isDescending && plan.isOrdered()) {
            places = places.descendingMap();
        }
        return places.entrySet().stream().mapMulti((place, found) -> {
            Hit<K, R> hit = hit(tree, place.getKey(), place.getValue(), matcher);
            if (hit != null) {
                found.accept(hit);
            }
        });
    }

    /** Returns the entry of a place if the entry has the fields of the place, and matches. */
    private <R> @Nullable Hit<K, R> hit(IndexTree<V> tree, byte[] place, byte[] content, Matcher<V, R> matcher) {
        K key = indexes.entryKeys().read(tree.keyArray(place, content), tree.keyFrom(place));
        byte[] value = indexes.raw().get(key);
        if (value == null) {
            return null;
        }
        RowBuffers<V> buffers = indexes.pool().acquire();
        try {
            buffers.row.set(value, 0, value.length);
            Match<R> match = Matcher.has(tree.fields(place), tree.sortKey(), buffers) ? matcher.match(buffers) : null;
            return match == null ? null : new Hit<>(key, match.shown(), match.order());
        } finally {
            indexes.pool().release(buffers);
        }
    }
}
