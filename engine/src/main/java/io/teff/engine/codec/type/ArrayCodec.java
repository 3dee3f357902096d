package io.teff.engine.codec.type;

import io.teff.engine.codec.Output;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Codec of arrays of references, of any dimension. */
public final class ArrayCodec extends SequenceCodec<@Nullable Object[]> {
    private static final Indexed<@Nullable Object[]> ACCESS = (array, index) -> array[index];

    private final Class<?> component;

    /** Makes a codec of arrays with a component type and a codec of its values. */
    public ArrayCodec(Class<?> component, TypeCodec<Object> element) {
        super(element);
        this.component = component;
    }

    @Override
    public void write(@Nullable Object[] value, Output out) {
        writeIndexed(value, value.length, ACCESS, out);
    }

    @Override
    public ArrayCodec withElement(TypeCodec<Object> element) {
        return new ArrayCodec(component, element);
    }

    @Override
    public Collection<@Nullable Object> view(@Nullable Object[] value) {
        return Arrays.asList(value);
    }

    @Override
    public @Nullable Object[] make(int count) {
        return (Object[]) Array.newInstance(component, count);
    }

    @Override
    public boolean add(@Nullable Object[] target, int index, @Nullable Object value) {
        target[index] = value;
        return true;
    }

    @Override
    void describe(Description description) {
        description.composed(Description.SEQUENCE, element());
    }
}
