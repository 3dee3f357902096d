package io.teff.engine.codec.schema;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.TypeCodec;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes values of this version over values of a version with more fields. The fields of this version get the new
 * content. The further fields keep their bytes. Thread-safe.
 *
 * <p>A struct is null bits, fixed fields and variable fields ({@link FieldLayout}). The bytes of a field do not depend
 * on the other fields, so a field is copied as bytes from either struct. This is possible for the fields of the outer
 * struct: a field inside of a field has no place of its own. {@link Schema#keeperOf} refuses the other cases.
 *
 * @param <T> type of the values
 */
public final class FieldKeeper<T> {
    private static final int NULL = -1;
    private static final int INITIAL_BYTES = 64;

    private final Schema<T> schema;
    private final FieldLayout own;
    private final FieldLayout written;
    /** Index of the field of this version for each written field; -1 for a field that keeps its bytes. */
    private final int[] sources;

    private FieldKeeper(Schema<T> schema, FieldLayout own, FieldLayout written, int[] sources) {
        this.schema = schema;
        this.own = own;
        this.written = written;
        this.sources = sources;
    }

    /**
     * Makes a keeper.
     *
     * @param lost fields of the other version that this version lacks, as {@link Evolution} names them
     * @param path name of the type
     * @throws SchemaException if a field would lose its content, or has other bytes
     */
    static <T> FieldKeeper<T> of(Schema<T> schema, FieldLayout own, Shape.Struct shape, List<String> lost,
                                 String path) {
        Map<String, Integer> indexes = new HashMap<>();
        for (FieldLayout.Field field : own.fields()) {
            indexes.put(field.name(), indexes.size());
        }
        SkippedTypes skipped = new SkippedTypes();
        List<String> kept = new ArrayList<>();
        List<FieldLayout.Draft> drafts = new ArrayList<>();
        int[] sources = new int[shape.members().size()];
        for (int i = 0; i < sources.length; i++) {
            Shape.Member member = shape.members().get(i);
            drafts.add(SkippedTypes.draft(member, skipped.codec(member)));
            sources[i] = indexes.getOrDefault(member.name(), -1);
            if (sources[i] < 0) {
                kept.add(path + "." + member.name());
            } else if (!new SameBytes().matches(member, own.fields().get(sources[i]), own.type())) {
                throw new SchemaException(path + "." + member.name() + ": has other bytes as " + member
                    + ", so the field cannot be written over values of the other version", null);
            }
        }
        List<String> deeper = new ArrayList<>(lost);
        deeper.removeAll(kept);
        if (!deeper.isEmpty()) {
            throw new SchemaException(deeper + ": fields inside of fields would lose their content", null);
        }
        indexes.keySet().removeAll(shape.members().stream().map(Shape.Member::name).toList());
        if (!indexes.isEmpty()) {
            throw new SchemaException(path + ": each version has fields that the other version lacks: "
                + indexes.keySet() + " and " + kept, null);
        }
        return new FieldKeeper<>(schema, own, new FieldLayout(Object.class, MethodHandles.constant(Object.class, ""),
            drafts), sources);
    }

    /**
     * Writes a value over a value of the other version.
     *
     * @param value the new content of the fields of this version
     * @param base bytes that have the value of the other version
     * @param from index of the first byte of the value
     * @param length number of its bytes
     * @return bytes of a value of the other version
     * @throws MalformedException if the bytes have no value of the other version
     */
    public byte[] write(T value, byte[] base, int from, int length) {
        Output encoded = Output.growing(INITIAL_BYTES);
        encoded.putValue(schema, value);
        byte[] fresh = encoded.toByteArray();
        int[] freshPlaces = places(own, fresh, 0, fresh.length);
        int[] basePlaces = places(written, base, from, length);
        byte[] head = new byte[written.fixedBytes()];
        Output behind = Output.growing(INITIAL_BYTES);
        for (int i = 0; i < sources.length; i++) {
            FieldLayout.Field field = written.fields().get(i);
            int source = sources[i];
            byte[] bytes = source < 0 ? base : fresh;
            int start = source < 0 ? basePlaces[2 * i] : freshPlaces[2 * source];
            int end = source < 0 ? basePlaces[2 * i + 1] : freshPlaces[2 * source + 1];
            if (start == NULL) {
                head[field.nullIndex() / Byte.SIZE] |= (byte) (1 << field.nullIndex() % Byte.SIZE);
            } else if (field.isFixed()) {
                System.arraycopy(bytes, start, head, field.offset(), end - start);
            } else {
                behind.putBytes(bytes, start, end - start);
            }
        }
        byte[] variable = behind.toByteArray();
        byte[] whole = Arrays.copyOf(head, head.length + variable.length);
        System.arraycopy(variable, 0, whole, head.length, variable.length);
        return whole;
    }

    /** Returns where each field begins and ends; {@link #NULL} for a null field. */
    private static int[] places(FieldLayout layout, byte[] bytes, int from, int length) {
        Input in = new Input(bytes, from, length);
        int head = in.take(layout.fixedBytes());
        int[] places = new int[2 * layout.fields().size()];
        for (int i = 0; i < layout.fields().size(); i++) {
            FieldLayout.Field field = layout.fields().get(i);
            int bit = field.nullIndex();
            if (bit >= 0 && (bytes[head + bit / Byte.SIZE] >> bit % Byte.SIZE & 1) != 0) {
                places[2 * i] = NULL;
                continue;
            }
            places[2 * i] = field.isFixed() ? head + field.offset() : in.position();
            if (field.isFixed()) {
                places[2 * i + 1] = places[2 * i] + field.codec().fixedBytes();
            } else {
                skip(field, in);
                places[2 * i + 1] = in.position();
            }
        }
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the value");
        }
        return places;
    }

    private static void skip(FieldLayout.Field field, Input in) {
        if (field.zigzag()) {
            in.getZigzag();
            return;
        }
        TypeCodec<?> codec = field.codec();
        Objects.requireNonNull(codec.read(in));
    }
}
