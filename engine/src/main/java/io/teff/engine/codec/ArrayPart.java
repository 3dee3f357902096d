package io.teff.engine.codec;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Arrays of references, of any depth. */
final class ArrayPart extends ElementsPart<@Nullable Object[]> {
    private static final Indexed<@Nullable Object[]> ACCESS = (array, index) -> array[index];

    private final Class<?> component;

    ArrayPart(Class<?> component, Part<Object> element) {
        super(element);
        this.component = component;
    }

    @Override
    public void write(@Nullable Object[] value, Output out) {
        writeIndexed(value, value.length, ACCESS, out);
    }

    @Override
    ArrayPart of(Part<Object> other) {
        return new ArrayPart(component, other);
    }

    @Override
    Collection<@Nullable Object> view(@Nullable Object[] value) {
        return Arrays.asList(value);
    }

    @Override
    @Nullable Object[] make(int count) {
        return (Object[]) Array.newInstance(component, count);
    }

    @Override
    boolean add(@Nullable Object[] to, int index, @Nullable Object value) {
        to[index] = value;
        return true;
    }

    @Override
    void describe(Description description) {
        description.of(Description.SEQUENCE, element());
    }
}
