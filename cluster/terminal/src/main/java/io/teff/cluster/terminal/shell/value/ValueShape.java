package io.teff.cluster.terminal.shell.value;

import java.util.ArrayList;
import java.util.List;

/** The shape of described values: how their bytes are read. See the page of objects for the bytes of each shape. */
sealed interface ValueShape {
    /** What {@link #fixedBytes} returns for values of varying sizes. */
    int VARIABLE = -1;

    /** Returns the bytes of each value, or VARIABLE. */
    default int fixedBytes() {
        return VARIABLE;
    }

    /** A number, char or boolean. */
    record Scalar(ScalarKind kind) implements ValueShape {
        @Override
        public int fixedBytes() {
            return kind.bytes();
        }
    }

    /** A type of the JDK that the codecs of the engine know, by its class. */
    record Standard(Class<?> type, int fixedBytes) implements ValueShape {}

    /** A text. */
    record Text() implements ValueShape {}

    /** Bytes up to the end. */
    record Rest() implements ValueShape {}

    /** An array of numbers, chars or booleans. */
    record Numbers(ScalarKind kind) implements ValueShape {}

    /** A value of a codec that an application has written: the number of its bytes, and its bytes. */
    record Custom() implements ValueShape {}

    /** Elements in order. */
    record Sequence(ValueShape element) implements ValueShape {}

    /** A value or nothing. */
    record Maybe(ValueShape value) implements ValueShape {}

    /** Keys with values. */
    record Entries(ValueShape key, ValueShape value) implements ValueShape {}

    /** A constant of an enum. */
    record Constants(List<String> names) implements ValueShape {
        private static final int ONE_BYTE_MAX = 256;

        @Override
        public int fixedBytes() {
            return names.size() <= ONE_BYTE_MAX ? 1 : Short.BYTES;
        }
    }

    /** One of several structs. */
    record Choice(List<String> names, List<ValueShape> shapes) implements ValueShape {}

    /** A whole number as LEB128 of its zigzag form. */
    record Zigzag() implements ValueShape {}

    /**
     * A field of a struct.
     *
     * @param isReference whether the field has a null bit
     */
    record Field(String name, ValueShape shape, boolean isReference) {}

    /** A struct inside of itself. */
    record Again(Struct struct) implements ValueShape {}

    /** A record or object. */
    final class Struct implements ValueShape {
        private final List<Field> fields = new ArrayList<>();
        private int nullBytes;
        private int fixedBytes;

        /** The fields in their order, all of them once {@link #end} was called. */
        List<Field> fields() {
            return fields;
        }

        void add(Field field) {
            fields.add(field);
        }

        /** Computes the sizes when all fields are known. */
        void end() {
            nullBytes = (int) (fields.stream().filter(Field::isReference).count() + Byte.SIZE - 1) / Byte.SIZE;
            fixedBytes = nullBytes;
            for (Field field : fields) {
                int bytes = field.shape().fixedBytes();
                fixedBytes = bytes < 0 || fixedBytes < 0 ? VARIABLE : fixedBytes + bytes;
            }
        }

        /** Returns the bytes of the null bits. */
        int nullBytes() {
            return nullBytes;
        }

        @Override
        public int fixedBytes() {
            return fixedBytes;
        }
    }
}
