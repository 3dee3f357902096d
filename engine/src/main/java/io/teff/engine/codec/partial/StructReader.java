package io.teff.engine.codec.partial;

import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.NullBits;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import org.jspecify.annotations.Nullable;

/**
 * An incomplete record or object: its null bits and fixed fields are read at once, then the variable fields in order.
 */
final class StructReader extends TypeReader {
    private final FieldLayout layout;
    private final @Nullable Object[] values;
    private final boolean[] isNull;
    private boolean fixedRead;
    private int next;

    StructReader(ReadContext context, FieldLayout layout) {
        super(context);
        this.layout = layout;
        values = new Object[layout.fields().size()];
        isNull = new boolean[values.length];
    }

    @Override
    Step step() {
        if (!fixedRead) {
            if (!context.source.collect(layout.fixedBytes())) {
                return Step.STARVED;
            }
            getFixed(layout, context.in.array(), 0, values, isNull);
            fixedRead = true;
        }
        while (next < values.length) {
            FieldLayout.Field field = layout.fields().get(next);
            if (field.zigzag()) {
                if (!context.source.collectVar()) {
                    return Step.STARVED;
                }
                if (field.scalar() == Scalar.INT) {
                    values[next] = context.in.getZigzagInt();
                } else {
                    values[next] = context.in.getZigzag();
                }
            } else if (!field.isFixed() && !isNull[next]) {
                start(field);
                return Step.MORE;
            }
            next++;
        }
        return Step.DONE;
    }

    @SuppressWarnings("unchecked")
    private void start(FieldLayout.Field field) {
        context.start((TypeCodec<Object>) field.codec());
    }

    @Override
    void accept(@Nullable Object nested) {
        values[next++] = nested;
    }

    @Override
    Object result() {
        return construct(layout, values);
    }

    private void getFixed(FieldLayout struct, byte[] array, int at, @Nullable Object[] fields, boolean[] nulls) {
        if (struct.nullBytes() > 0) {
            NullBits.requireClear(array[at + struct.nullBytes() - 1], struct.unusedNullBits(), context.in);
        }
        for (int i = 0; i < fields.length; i++) {
            FieldLayout.Field field = struct.fields().get(i);
            int bit = field.nullIndex();
            nulls[i] = bit >= 0 && (array[at + bit / Byte.SIZE] & 1 << bit % Byte.SIZE) != 0;
            if (field.isFixed() && !nulls[i]) {
                fields[i] = getFixed(field, array, at + field.offset());
            }
        }
    }

    private @Nullable Object getFixed(FieldLayout.Field field, byte[] array, int at) {
        if (field.codec() instanceof StructCodec nested) {
            @Nullable Object[] fields = new Object[nested.layout().fields().size()];
            getFixed(nested.layout(), array, at, fields, new boolean[fields.length]);
            return construct(nested.layout(), fields);
        }
        return ((TypeCodec.Fixed<?>) field.codec()).get(array, at, context.in);
    }

    private static Object construct(FieldLayout struct, @Nullable Object[] fields) {
        try {
            return struct.constructor().invokeWithArguments(fields);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException("the constructor of " + struct.type().getName() + " failed", t);
        }
    }
}
