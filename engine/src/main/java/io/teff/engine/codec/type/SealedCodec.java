package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Codec of a sealed type: the number of the subclass as LEB128, in the order of class names, then its value. */
public final class SealedCodec extends TypeCodec<Object> {
    private final Class<?> type;
    private final List<Class<?>> classes;
    private final ClassValue<Integer> numbers = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> known) {
            boolean isConstantWithBody = Enum.class.isAssignableFrom(known) && !known.isEnum();
            return classes.indexOf(isConstantWithBody ? known.getSuperclass() : known);
        }
    };
    /** Names of the subclasses in the writer's version, by number. */
    private final List<String> names;
    /** Codecs of the subclasses, by number; null if this version has no such subclass. */
    private final @Nullable TypeCodec<Object>[] codecs;

    /** Makes a codec; names and codecs have the same order. */
    public SealedCodec(Class<?> type, List<Class<?>> classes, List<String> names,
                       @Nullable TypeCodec<Object>[] codecs) {
        super(VARIABLE, 1);
        this.type = type;
        this.classes = classes;
        this.names = names;
        this.codecs = codecs;
    }

    @Override
    public void write(Object value, Output out) {
        int number = number(value);
        out.putVar(number);
        Objects.requireNonNull(codecs[number]).write(value, out);
    }

    /** Returns the number of a value's class. */
    public int number(Object value) {
        int number = numbers.get(value.getClass());
        if (number < 0) {
            throw new IllegalArgumentException(value.getClass().getName() + " is not among the subclasses of "
                + type.getName() + " that the schema contains");
        }
        return number;
    }

    /** Returns the codec of the subclass with a number, which is checked. */
    public TypeCodec<Object> subclass(long number, Input in) {
        if (number < 0 || number >= codecs.length) {
            throw in.malformed("subclass " + number + " of " + type.getName() + ", which has " + codecs.length + ",");
        }
        TypeCodec<Object> codec = codecs[(int) number];
        if (codec == null) {
            throw in.malformed("subclass " + names.get((int) number) + ", which " + type.getName()
                + " does not have,");
        }
        return codec;
    }

    /** Returns the sealed type. */
    public Class<?> type() {
        return type;
    }

    /** Returns the subclasses by number. */
    public List<Class<?>> classes() {
        return classes;
    }

    /** Returns the codecs of the subclasses by number; null where this version has no such subclass. */
    public @Nullable TypeCodec<Object>[] codecs() {
        return codecs;
    }

    @Override
    public Object read(Input in) {
        return subclass(in.getVar(), in).read(in);
    }

    @Override
    void describe(Description description) {
        description.subclasses(type, names, codecs);
    }
}
