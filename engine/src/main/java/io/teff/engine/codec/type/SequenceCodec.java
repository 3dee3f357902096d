package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of arrays and collections: elements of a common type, in order.
 * <pre>
 *  +---------------------+-------------------+---------------------------------------------
 *  | count * 2 + nulls   | null bits, if any | elements; of fixed size: null ones are zeros,
 *  | LEB128              | (count + 7) / 8 B | else: null ones are left out
 *  +---------------------+-------------------+---------------------------------------------
 * </pre>
 * All elements are checked for null before any is written. Writing first and again when a null is found would double
 * the work at each nesting level.
 *
 * @param <C> the array or collection
 */
public abstract class SequenceCodec<C> extends TypeCodec<C> {
    /** Message for a sequence whose elements change while it is written. */
    public static final String CHANGED = "the elements changed while they were written";
    /** Message for an element that a set or map of the bytes contains twice. */
    public static final String DUPLICATE = "a duplicate element";

    private final TypeCodec<Object> element;
    private final TypeCodec.@Nullable Fixed<Object> fixed;

    @SuppressWarnings("unchecked")
    SequenceCodec(TypeCodec<Object> element) {
        super(VARIABLE, 1);
        this.element = element;
        this.fixed = element.isFixed() && element instanceof TypeCodec.Fixed<?> known
            ? (TypeCodec.Fixed<Object>) known : null;
    }

    /** Returns the codec of the elements. */
    public final TypeCodec<Object> element() {
        return element;
    }

    /** Makes a codec of the same kind of sequence with another codec of the elements. */
    public abstract SequenceCodec<C> withElement(TypeCodec<Object> other);

    @Override
    public final Object missing() {
        return make(0);
    }

    // ---- writing ----

    /** Access to elements by index. */
    interface Indexed<C> {
        @Nullable Object get(C from, int index);
    }

    final void writeIndexed(C from, int count, Indexed<C> access, Output out) {
        boolean nulls = false;
        for (int i = 0; i < count; i++) {
            nulls |= access.get(from, i) == null;
        }
        if (nulls) {
            writeWithNulls(from, count, access, out);
            return;
        }
        out.putVar((long) count << 1);
        if (fixed != null) {
            out.addEmptyElements(fixed.fixedBytes() == 0 ? count : 0);
            writeFixed(fixed, from, count, access, out);
        } else {
            for (int i = 0; i < count; i++) {
                element.write(requirePresent(access.get(from, i)), out);
            }
        }
    }

    private static Object requirePresent(@Nullable Object value) {
        if (value == null) {
            throw new ConcurrentModificationException(CHANGED);
        }
        return value;
    }

    private void writeFixed(TypeCodec.Fixed<Object> codec, C from, int count, Indexed<C> access, Output out) {
        int bytes = codec.fixedBytes();
        int at = out.take(Math.multiplyExact(count, bytes));
        byte[] array = out.array();
        for (int i = 0; i < count; i++) {
            codec.put(requirePresent(access.get(from, i)), array, at + i * bytes);
        }
    }

    private void writeWithNulls(C from, int count, Indexed<C> access, Output out) {
        out.putVar((long) count << 1 | 1);
        int nullBytes = (count + Byte.SIZE - 1) / Byte.SIZE;
        int nullsAt = out.take(nullBytes);
        LittleEndian.clear(out.array(), nullsAt, nullBytes);
        int bytes = fixed == null ? 0 : fixed.fixedBytes();
        out.addEmptyElements(fixed != null && bytes == 0 ? count : 0);
        int at = out.take(Math.multiplyExact(count, bytes));
        for (int i = 0; i < count; i++) {
            Object value = access.get(from, i);
            if (value == null) {
                out.array()[nullsAt + i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
                LittleEndian.clear(out.array(), at + i * bytes, bytes);
            } else if (fixed != null) {
                fixed.put(value, out.array(), at + i * bytes);
            } else {
                element.write(value, out);
            }
        }
    }

    /** Returns the elements in order, including nulls; a copy if other threads may change the elements. */
    public abstract Collection<@Nullable Object> view(C value);

    /**
     * Refuses a collection that could not be read.
     *
     * @return whether the collection must be read after it was written
     */
    public boolean isToCheck(C value) {
        return false;
    }

    // ---- reading ----

    /** Makes an array or collection for a number of elements. */
    public abstract C make(int count);

    /** Adds an element; returns false if the collection contains it and takes it only once. */
    public abstract boolean add(C target, int index, @Nullable Object value);

    @Override
    public final C read(Input in) {
        long header = in.getVar();
        boolean nulls = (header & 1) != 0;
        int count = nulls && fixed == null ? in.checkBits(header >>> 1)
            : in.checkCount(header >>> 1, element.bytesMin());
        int nullBytes = nulls ? (count + Byte.SIZE - 1) / Byte.SIZE : 0;
        int nullsAt = in.take(nullBytes);
        int bytes = fixed == null ? 0 : fixed.fixedBytes();
        int at = in.take(count * bytes);
        C made = make(count);
        for (int i = 0; i < count; i++) {
            boolean isNull = nulls && (in.array()[nullsAt + i / Byte.SIZE] & 1 << i % Byte.SIZE) != 0;
            Object value = isNull ? null : fixed != null ? fixed.get(in.array(), at + i * bytes, in) : element.read(in);
            if (!add(made, i, value)) {
                throw in.malformed(DUPLICATE);
            }
        }
        return made;
    }
}
