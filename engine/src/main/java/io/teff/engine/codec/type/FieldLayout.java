package io.teff.engine.codec.type;

import io.teff.engine.codec.SchemaException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of the fields of a struct, which is a record or a class.
 * <pre>
 *  0           nullBytes                fixedBytes
 *  +-----------+------------------------+---------------------------
 *  | null bits | fixed fields, in order | variable fields, in order
 *  +-----------+------------------------+---------------------------
 * </pre>
 */
public final class FieldLayout {
    private static final int FIXED_BYTES_MAX = 1 << 20;

    private final Class<?> type;
    private final MethodHandle constructor;
    private final List<Field> fields;
    private final int nullBytes;
    private final int fixedBytes;
    private final int bytesMin;
    private final boolean isFixed;

    /**
     * One field. Fields are in the order of the constructor's parameters.
     *
     * @param name name of the field
     * @param scalar its type if that is primitive, else null
     * @param codec codec of its values, boxed if they are primitive
     * @param getter {@code (Object) -> primitive or Object}
     * @param zigzag whether an int or long is written as a zigzag LEB128 number
     * @param nullIndex index of its null bit, or -1 if the field is primitive
     * @param offset offset of its first byte in the struct, or -1 if that varies
     */
    public record Field(String name, @Nullable Scalar scalar, TypeCodec<?> codec, MethodHandle getter, boolean zigzag,
                        int nullIndex, int offset) {
        /** Returns whether the field has the same offset in all values. */
        public boolean isFixed() {
            return offset >= 0;
        }
    }

    /** A field whose place is not determined yet; components as in {@link Field}. */
    public record Draft(String name, @Nullable Scalar scalar, TypeCodec<?> codec, MethodHandle getter, boolean zigzag) {
        int fixedBytes() {
            return zigzag ? TypeCodec.VARIABLE : codec.fixedBytes();
        }
    }

    /**
     * Determines the places of fields.
     *
     * @param type the record or class
     * @param constructor {@code (primitive or Object, ...) -> Object}
     * @param drafts the fields, in the order of the constructor's parameters
     */
    public FieldLayout(Class<?> type, MethodHandle constructor, List<Draft> drafts) {
        this.type = type;
        this.constructor = constructor;
        int nullCount = (int) drafts.stream().filter(draft -> draft.scalar() == null).count();
        nullBytes = (nullCount + Byte.SIZE - 1) / Byte.SIZE;
        List<Field> placed = new ArrayList<>();
        int offset = nullBytes;
        int nullIndex = 0;
        int variable = 0;
        for (Draft draft : drafts) {
            int bytes = draft.fixedBytes();
            placed.add(new Field(draft.name(), draft.scalar(), draft.codec(), draft.getter(), draft.zigzag(),
                draft.scalar() == null ? nullIndex++ : -1, bytes < 0 ? -1 : offset));
            offset += Math.max(bytes, 0);
            if (offset > FIXED_BYTES_MAX) {
                throw new SchemaException(type.getName() + " has fixed fields of more than " + FIXED_BYTES_MAX
                    + " bytes", null);
            }
            variable += bytes < 0 ? 1 : 0;
        }
        fields = List.copyOf(placed);
        fixedBytes = offset;
        isFixed = variable == 0;
        bytesMin = fixedBytes + (int) fields.stream().filter(Field::zigzag).count();
    }

    /** Returns the record or class. */
    public Class<?> type() {
        return type;
    }

    /** Returns the constructor, {@code (primitive or Object, ...) -> Object}. */
    public MethodHandle constructor() {
        return constructor;
    }

    /** Returns the fields in the order of the constructor's parameters. */
    public List<Field> fields() {
        return fields;
    }

    /** Rejects a value of a subclass, whose own fields would be lost. Generated code calls this too. */
    public static void requireExact(Object value, Class<?> type) {
        if (value.getClass() != type) {
            throw new IllegalArgumentException("a " + value.getClass().getName() + " as a value of type "
                + type.getName() + "; subclasses need a sealed type or a codec of their own");
        }
    }

    /** Returns whether the class can have subclasses. */
    public boolean hasSubclasses() {
        return !Modifier.isFinal(type.getModifiers());
    }

    /** Returns the bytes of the null bits. */
    public int nullBytes() {
        return nullBytes;
    }

    /** Returns the bytes of the null bits and the fixed fields. */
    public int fixedBytes() {
        return fixedBytes;
    }

    /** Returns the least size of a value in bytes. */
    public int bytesMin() {
        return bytesMin;
    }

    /** Returns whether all fields are fixed. */
    public boolean isFixed() {
        return isFixed;
    }

    /** Returns the bits of the last null byte that belong to no field. */
    public int unusedNullBits() {
        int used = (int) fields.stream().filter(field -> field.nullIndex() >= 0).count() % Byte.SIZE;
        return used == 0 ? 0 : 0xFF << used & 0xFF;
    }
}
