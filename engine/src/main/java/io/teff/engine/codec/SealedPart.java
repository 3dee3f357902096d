package io.teff.engine.codec;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values of a sealed type: the number of the subclass in the order of names, then its struct. */
final class SealedPart extends Part<Object> {
    private final Class<?> type;
    private final List<Class<?>> classes;
    private final ClassValue<Integer> numbers = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> known) {
            boolean isConstantWithBody = Enum.class.isAssignableFrom(known) && !known.isEnum();
            return classes.indexOf(isConstantWithBody ? known.getSuperclass() : known);
        }
    };
    /** By number, as whoever writes calls them. */
    private final List<String> names;
    /** By number; null if this program has no such subclass. */
    private final @Nullable Part<Object>[] parts;

    SealedPart(Class<?> type, List<Class<?>> classes, List<String> names, @Nullable Part<Object>[] parts) {
        super(VARIABLE, 1);
        this.type = type;
        this.classes = classes;
        this.names = names;
        this.parts = parts;
    }

    @Override
    public void write(Object value, Output out) {
        int number = number(value);
        out.putVar(number);
        Objects.requireNonNull(parts[number]).write(value, out);
    }

    /** Number of a value's class. */
    int number(Object value) {
        int number = numbers.get(value.getClass());
        if (number < 0) {
            throw new IllegalArgumentException(value.getClass().getName() + " is no subclass of " + type.getName()
                + " that its schema knows");
        }
        return number;
    }

    /** The part of a subclass by its number, which is checked. */
    Part<Object> part(long number, Input in) {
        if (number < 0 || number >= parts.length) {
            throw in.malformed("subclass " + number + " of " + type.getName());
        }
        Part<Object> part = parts[(int) number];
        if (part == null) {
            throw in.malformed("subclass " + names.get((int) number) + ", which " + type.getName()
                + " does not have,");
        }
        return part;
    }

    Class<?> type() {
        return type;
    }

    /** The subclasses, in the order of their numbers. */
    List<Class<?>> classes() {
        return classes;
    }

    /** Their parts. */
    @Nullable Part<Object>[] parts() {
        return parts;
    }

    @Override
    public Object read(Input in) {
        return part(in.getVar(), in).read(in);
    }

    @Override
    void describe(Description description) {
        description.subclasses(type, names, parts);
    }
}
