package io.teff.engine.codec;

import java.util.List;

/** Values of a sealed type: the number of the subclass in the order of names, then its struct. */
final class SealedPart extends Part<Object> {
    private final Class<?> type;
    private final List<Class<?>> classes;
    private final ClassValue<Integer> numbers = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> known) {
            return classes.indexOf(known);
        }
    };
    private final Part<Object>[] parts;

    SealedPart(Class<?> type, List<Class<?>> classes, Part<Object>[] parts) {
        super(VARIABLE, 1);
        this.type = type;
        this.classes = classes;
        this.parts = parts;
    }

    @Override
    public void write(Object value, Output out) {
        int number = number(value);
        out.putVar(number);
        parts[number].write(value, out);
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
        return parts[(int) number];
    }

    @Override
    public Object read(Input in) {
        return part(in.getVar(), in).read(in);
    }

    @Override
    void describe(Description description) {
        description.subclasses(type, classes, parts);
    }
}
