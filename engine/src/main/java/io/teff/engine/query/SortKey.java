package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The bytes by which an index orders the values of a map: the bytes of its fields, one after the other. A primitive
 * field of a record is read at its place; for other fields the value is decoded, once. Immutable.
 */
final class SortKey<V> {
    private final List<Field<V, ?>> fields;
    /** Offset of each field in all values, or -1. */
    private final int[] offsets;

    SortKey(List<Field<V, ?>> fields, Codec<V> codec) {
        this.fields = List.copyOf(fields);
        this.offsets = new int[fields.size()];
        for (int i = 0; i < offsets.length; i++) {
            Field<V, ?> field = fields.get(i);
            offsets[i] = codec instanceof Schema<V> schema && field.isPrimitiveOf(schema.type())
                ? field.kind().offset(schema, field.name()) : -1;
        }
    }

    List<Field<V, ?>> fields() {
        return fields;
    }

    /** Replaces the content of the output by the bytes of a value. */
    Output write(Row<V> row, Output out) {
        out.clear();
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] >= 0) {
                fields.get(i).kind().copy(row.array(), row.from() + offsets[i], out);
            } else {
                fields.get(i).put(row.value(), out);
            }
        }
        return out;
    }

    /** Returns the index behind the fields in a key of the index. */
    int end(byte[] key) {
        int at = 0;
        for (Field<V, ?> field : fields) {
            at = field.end(key, at);
        }
        return at;
    }

    /** Returns whether one of the fields in a key of the index is null. */
    boolean hasNull(byte[] key) {
        int at = 0;
        for (Field<V, ?> field : fields) {
            if (field.isNull(key, at)) {
                return true;
            }
            at = field.end(key, at);
        }
        return false;
    }

    /** Returns the fields of a value, for people. */
    String describe(Row<V> row) {
        return fields.stream().map(field -> field.describe(row.value())).collect(Collectors.joining(", "));
    }

    /** Returns the fields with their types. */
    @Override
    public String toString() {
        return fields.stream().map(Field::toString).collect(Collectors.joining(","));
    }
}
