package io.teff.engine.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a query finds its entries: a range of one index, or all entries of the map.
 *
 * <p>An index serves a query by its first fields: equalities, then at most one range. The index with the most
 * equalities is chosen; among equals one with a range, then one with the order of the query. Without any condition for
 * an index, an index with the order of the query is chosen. Immutable.
 */
final class Plan<V> {
    /** Weight of one equality, above those of a range and of the order together. */
    private static final int EQUALITY = 4;
    private static final int RANGE = 2;
    private static final int ORDER = 1;

    private final @Nullable IndexTree<V> tree;
    private final List<Condition<V>> equalities = new ArrayList<>();
    private final @Nullable Condition<V> range;
    private final boolean isOrdered;
    private final int score;

    private Plan(@Nullable IndexTree<V> tree, List<Condition<V>> conditions, @Nullable Field<V, ?> orderedBy) {
        this.tree = tree;
        List<Field<V, ?>> fields = tree == null ? List.of() : tree.sortKey().fields();
        int at = 0;
        Condition<V> equality = at < fields.size() ? find(conditions, fields.get(at), true) : null;
        while (equality != null) {
            equalities.add(equality);
            at++;
            equality = at < fields.size() ? find(conditions, fields.get(at), true) : null;
        }
        range = at < fields.size() ? find(conditions, fields.get(at), false) : null;
        isOrdered = orderedBy != null && (at < fields.size() && isSame(fields.get(at), orderedBy)
            || equalities.stream().anyMatch(each -> isSame(each.field(), orderedBy)));
        score = equalities.size() * EQUALITY + (range != null ? RANGE : 0) + (isOrdered ? ORDER : 0);
    }

    private static <V> @Nullable Condition<V> find(List<Condition<V>> conditions, Field<V, ?> field,
                                                   boolean isEquality) {
        for (Condition<V> condition : conditions) {
            if (condition.isEquality() == isEquality && isSame(condition.field(), field)) {
                return condition;
            }
        }
        return null;
    }

    private static boolean isSame(Field<?, ?> one, Field<?, ?> other) {
        return one.toString().equals(other.toString());
    }

    /** Chooses among the indexes that are ready. */
    static <V> Plan<V> choose(List<IndexTree<V>> trees, List<Condition<V>> conditions,
                              @Nullable Field<V, ?> orderedBy) {
        Plan<V> best = new Plan<>(null, conditions, orderedBy);
        for (IndexTree<V> tree : trees) {
            Plan<V> plan = new Plan<>(tree, conditions, orderedBy);
            if (plan.score > best.score) {
                best = plan;
            }
        }
        return best;
    }

    @Nullable IndexTree<V> tree() {
        return tree;
    }

    /** Returns whether the index shows the entries in the order of the query. */
    boolean isOrdered() {
        return isOrdered;
    }

    /** Returns whether the range of the index decides a condition, so that entries in the range need no test of it. */
    boolean covers(Condition<V> condition) {
        return condition.equals(range) || equalities.contains(condition);
    }

    /** Returns the places of the index that the query reads, in ascending order. */
    NavigableMap<byte[], byte[]> places(IndexTree<V> of) {
        byte[] prefix = {};
        for (Condition<V> equality : equalities) {
            prefix = joined(prefix, equality.low());
        }
        if (range == null) {
            return of.range(prefix, SortKeyBytes.behind(prefix));
        }
        byte[] high = range.high();
        return of.range(joined(prefix, range.low()), high == null ? SortKeyBytes.behind(prefix) : joined(prefix, high));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    /** Returns the index and its range, for people. */
    String describe(String map) {
        if (tree == null) {
            return "all entries of " + map;
        }
        List<String> bounds = new ArrayList<>();
        equalities.forEach(equality -> bounds.add(equality.toString()));
        if (range != null) {
            bounds.add(range.toString());
        }
        return "index '" + tree.name() + "' of " + map
            + (bounds.isEmpty() ? "" : bounds.stream().collect(Collectors.joining(", ", ": ", "")));
    }
}
