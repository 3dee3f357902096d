package io.teff.engine.codec;

import java.util.Collection;
import java.util.ConcurrentModificationException;
import org.jspecify.annotations.Nullable;

/**
 * Many values of one part, one behind the other: what arrays and collections have in common.
 * <pre>
 *  +---------------------+-------------------+---------------------------------------------
 *  | count * 2 + nulls   | null bits, if any | elements; of fixed size: null ones are zeros,
 *  | LEB128              | (count + 7) / 8 B | else: null ones are left out
 *  +---------------------+-------------------+---------------------------------------------
 * </pre>
 * Nulls are looked for before anything is written: to write again what lies inside, at each level, would take for ever.
 *
 * @param <C> the array or collection
 */
abstract class ElementsPart<C> extends Part<C> {
    private final Part<Object> element;
    private final Part.@Nullable Fixed<Object> fixed;

    @SuppressWarnings("unchecked")
    ElementsPart(Part<Object> element) {
        super(VARIABLE, 1);
        this.element = element;
        this.fixed = element.isFixed() && element instanceof Part.Fixed<?> known ? (Part.Fixed<Object>) known : null;
    }

    final Part<Object> element() {
        return element;
    }

    /** The same array or collection of elements that are read in another way. */
    abstract ElementsPart<C> of(Part<Object> other);

    @Override
    final Object missing() {
        return make(0);
    }

    // ---- writing ----

    /** How an element is got by its index. */
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
            writeFixed(fixed, from, count, access, out);
        } else {
            for (int i = 0; i < count; i++) {
                element.write(present(access.get(from, i)), out);
            }
        }
    }

    private static Object present(@Nullable Object value) {
        if (value == null) {
            throw new ConcurrentModificationException("a null that was not there");
        }
        return value;
    }

    private void writeFixed(Part.Fixed<Object> part, C from, int count, Indexed<C> access, Output out) {
        int bytes = part.fixedBytes();
        int at = out.take(Math.multiplyExact(count, bytes));
        byte[] array = out.array();
        for (int i = 0; i < count; i++) {
            part.put(present(access.get(from, i)), array, at + i * bytes);
        }
    }

    private void writeWithNulls(C from, int count, Indexed<C> access, Output out) {
        out.putVar((long) count << 1 | 1);
        int nullBytes = (count + Byte.SIZE - 1) / Byte.SIZE;
        int nullsAt = out.take(nullBytes);
        Bytes.clear(out.array(), nullsAt, nullBytes);
        int bytes = fixed == null ? 0 : fixed.fixedBytes();
        int at = out.take(Math.multiplyExact(count, bytes));
        for (int i = 0; i < count; i++) {
            Object value = access.get(from, i);
            if (value == null) {
                out.array()[nullsAt + i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
                Bytes.clear(out.array(), at + i * bytes, bytes);
            } else if (fixed != null) {
                fixed.put(value, out.array(), at + i * bytes);
            } else {
                element.write(value, out);
            }
        }
    }

    /** The elements in order, null ones too. */
    abstract Collection<@Nullable Object> view(C value);

    // ---- reading ----

    /** Makes what so many elements go to. */
    abstract C make(int count);

    /** Adds an element; false if that cannot be, because it is there already. */
    abstract boolean add(C to, int index, @Nullable Object value);

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
                throw in.malformed("an element that is there already");
            }
        }
        return made;
    }
}
