package io.teff.engine.codec;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the fields of a struct lie.
 * <pre>
 *  0           nullBytes                fixedBytes
 *  +-----------+------------------------+---------------------------
 *  | null bits | fixed fields, in order | variable fields, in order
 *  +-----------+------------------------+---------------------------
 * </pre>
 */
final class Layout {
    private static final int FIXED_BYTES_MAX = 1 << 20;

    private final Class<?> type;
    private final MethodHandle constructor;
    private final List<Field> fields;
    private final int nullBytes;
    private final int fixedBytes;
    private final int bytesMin;
    private final boolean isFixed;

    /**
     * One field, in the order of the constructor's parameters.
     *
     * @param name its name
     * @param scalar its type if that is primitive, else null
     * @param part codec of its values, boxed if they are primitive
     * @param getter {@code (Object) -> primitive or Object}
     * @param zigzag whether an int or long takes as few bytes as it needs
     * @param nullIndex number of its null bit, or -1
     * @param offset of its bytes in the struct, or -1 if that varies
     */
    record Field(String name, @Nullable Scalar scalar, Part<?> part, MethodHandle getter, boolean zigzag,
                 int nullIndex, int offset) {
        boolean isFixed() {
            return offset >= 0;
        }
    }

    /** A field before its place is known. */
    record Draft(String name, @Nullable Scalar scalar, Part<?> part, MethodHandle getter, boolean zigzag) {
        int fixedBytes() {
            return zigzag ? Part.VARIABLE : part.fixedBytes();
        }
    }

    /**
     * Lays fields out.
     *
     * @param type the record or class
     * @param constructor {@code (primitive or Object, ...) -> Object}
     * @param drafts the fields, in the order of the constructor's parameters
     */
    Layout(Class<?> type, MethodHandle constructor, List<Draft> drafts) {
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
            placed.add(new Field(draft.name(), draft.scalar(), draft.part(), draft.getter(), draft.zigzag(),
                draft.scalar() == null ? nullIndex++ : -1, bytes < 0 ? -1 : offset));
            offset += Math.max(bytes, 0);
            if (offset > FIXED_BYTES_MAX) {
                throw new SchemaException(type.getName() + " takes more than " + FIXED_BYTES_MAX + " bytes", null);
            }
            variable += bytes < 0 ? 1 : 0;
        }
        fields = List.copyOf(placed);
        fixedBytes = offset;
        isFixed = variable == 0;
        bytesMin = fixedBytes + (int) fields.stream().filter(Field::zigzag).count();
    }

    Class<?> type() {
        return type;
    }

    MethodHandle constructor() {
        return constructor;
    }

    List<Field> fields() {
        return fields;
    }

    /** A value of a subclass would lose what the subclass has. */
    static void requireExact(Object value, Class<?> type) {
        if (value.getClass() != type) {
            throw new IllegalArgumentException("a " + value.getClass().getName() + " where exactly " + type.getName()
                + " is declared; subclasses need a sealed type, or a codec");
        }
    }

    /** Whether there may be values of a subclass. */
    boolean hasSubclasses() {
        return !Modifier.isFinal(type.getModifiers());
    }

    /** Bytes of the null bits. */
    int nullBytes() {
        return nullBytes;
    }

    /** Bytes of the null bits and the fixed fields. */
    int fixedBytes() {
        return fixedBytes;
    }

    /** Bytes that each value takes at least. */
    int bytesMin() {
        return bytesMin;
    }

    /** Whether there are fixed fields only. */
    boolean isFixed() {
        return isFixed;
    }

    /** The bits of the last null byte that belong to no field. */
    int unusedNullBits() {
        int used = (int) fields.stream().filter(field -> field.nullIndex() >= 0).count() % Byte.SIZE;
        return used == 0 ? 0 : 0xFF << used & 0xFF;
    }
}
