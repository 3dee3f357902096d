package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The test of one value by a query, and what the query shows of it. Reads as little of the value as the conditions
 * need. Immutable.
 */
final class Matcher<V, R> {
    private final List<Condition<V>> conditions;
    private final List<SortKey<V>> fields = new ArrayList<>();
    private final List<Predicate<? super V>> filters;
    private final Codec<R> reader;
    private final @Nullable SortKey<V> order;

    /** A match: what the query shows, and the bytes by which it is sorted, if it is. */
    record Match<R>(R shown, byte[] order) {}

    Matcher(List<Condition<V>> conditions, List<Predicate<? super V>> filters, Codec<V> codec, Codec<R> reader,
            @Nullable Field<V, ?> sortedBy) {
        this.conditions = conditions;
        this.filters = filters;
        this.reader = reader;
        this.order = sortedBy == null ? null : new SortKey<>(List.of(sortedBy), codec);
        for (Condition<V> condition : conditions) {
            fields.add(new SortKey<>(List.of(condition.field()), codec));
        }
    }

    /** Returns whether a value has the given bytes of fields. */
    static <V> boolean has(byte[] expected, SortKey<V> key, RowBuffers<V> buffers) {
        Output out = key.write(buffers.row, buffers.key);
        return Arrays.equals(expected, 0, expected.length, out.array(), 0, out.size());
    }

    /** Returns what is shown of the row's value, or null if the value does not match. */
    @Nullable Match<R> match(RowBuffers<V> buffers) {
        Row<V> row = buffers.row;
        for (int i = 0; i < conditions.size(); i++) {
            Output out = fields.get(i).write(row, buffers.key);
            if (!conditions.get(i).contains(out.array(), out.size())) {
                return null;
            }
        }
        for (Predicate<? super V> filter : filters) {
            if (!filter.test(row.value())) {
                return null;
            }
        }
        byte[] sortedBy = order == null ? new byte[0] : order.write(row, buffers.key).toByteArray();
        return new Match<>(row.shownBy(reader), sortedBy);
    }
}
