package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** A record or an object under way: first its null bits and fixed fields, then the others one by one. */
final class StructReading extends Reading {
    private final Layout layout;
    private final @Nullable Object[] values;
    private final boolean[] isNull;
    private boolean fixedRead;
    private int next;

    StructReading(ReadStack stack, Layout layout) {
        super(stack);
        this.layout = layout;
        values = new Object[layout.fields().size()];
        isNull = new boolean[values.length];
    }

    @Override
    Step step() {
        if (!fixedRead) {
            if (!stack.pieces.collect(layout.fixedBytes())) {
                return Step.STARVED;
            }
            getFixed(layout, stack.in.array(), 0, values, isNull);
            fixedRead = true;
        }
        while (next < values.length) {
            Layout.Field field = layout.fields().get(next);
            if (field.zigzag()) {
                if (!stack.pieces.collectVar()) {
                    return Step.STARVED;
                }
                if (field.scalar() == Scalar.INT) {
                    values[next] = stack.in.getZigzagInt();
                } else {
                    values[next] = stack.in.getZigzag();
                }
            } else if (!field.isFixed() && !isNull[next]) {
                begin(field);
                return Step.MORE;
            }
            next++;
        }
        return Step.DONE;
    }

    @SuppressWarnings("unchecked")
    private void begin(Layout.Field field) {
        stack.start((Part<Object>) field.part());
    }

    @Override
    void accept(@Nullable Object inner) {
        values[next++] = inner;
    }

    @Override
    Object result() {
        return construct(layout, values);
    }

    private void getFixed(Layout layout, byte[] array, int at, @Nullable Object[] values, boolean[] isNull) {
        if (layout.nullBytes() > 0) {
            Bytes.requireClear(array[at + layout.nullBytes() - 1], layout.unusedNullBits(), stack.in);
        }
        for (int i = 0; i < values.length; i++) {
            Layout.Field field = layout.fields().get(i);
            int bit = field.nullIndex();
            isNull[i] = bit >= 0 && (array[at + bit / Byte.SIZE] & 1 << bit % Byte.SIZE) != 0;
            if (field.isFixed() && !isNull[i]) {
                values[i] = getFixed(field, array, at + field.offset());
            }
        }
    }

    private @Nullable Object getFixed(Layout.Field field, byte[] array, int at) {
        if (field.part() instanceof Struct struct) {
            @Nullable Object[] values = new Object[struct.layout().fields().size()];
            getFixed(struct.layout(), array, at, values, new boolean[values.length]);
            return construct(struct.layout(), values);
        }
        return ((Part.Fixed<?>) field.part()).get(array, at, stack.in);
    }

    private static Object construct(Layout layout, @Nullable Object[] values) {
        try {
            return layout.constructor().invokeWithArguments(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException("making a " + layout.type().getName(), t);
        }
    }
}
