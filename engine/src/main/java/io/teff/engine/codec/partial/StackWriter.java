package io.teff.engine.codec.partial;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import io.teff.engine.codec.bytes.CodecLimits;
import io.teff.engine.codec.bytes.Latin1;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.codec.type.CustomCodec;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.MappedCodec;
import io.teff.engine.codec.type.Moment;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import io.teff.engine.codec.type.RawBytesCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.SequenceCodec;
import io.teff.engine.codec.type.StringCodec;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of a derived codec in windows. The state is a stack of the incomplete values (a struct with the index
 * of its next field, a collection with its iterator, a string with the index of its next char) and some encoded bytes
 * that are not written to a window yet: a few thousand at most, regardless of the value's size, or the bytes of a value
 * of a hand-written codec, or of a container that must be read for a check.
 *
 * @param <T> type of the values
 */
public final class StackWriter<T> implements PartialWriter<T> {
    /** Bytes that are encoded before some are written to the window. */
    private static final int ENCODED_MIN = 1024;
    /** Input without bytes, for the exceptions of {@link SealedCodec#subclass}. */
    private static final Input NO_INPUT = new Input(new byte[0], 0, 0);

    private final TypeCodec<Object> root;
    private final Output encoded = Output.growing(2 * ENCODED_MIN);
    private final Deque<ValueWriter> stack = new ArrayDeque<>();
    private final int levelsBefore;
    private final @Nullable Output outer;
    private int levels;
    /** Encoded bytes that are written to a window. */
    private int writtenCount;

    /** Makes a writer. */
    public StackWriter(TypeCodec<Object> root) {
        this(root, 0, null);
    }

    /** Makes a writer of a value that is nested {@code levelsBefore} levels deep in a value of an outer output. */
    StackWriter(TypeCodec<Object> root, int levelsBefore, @Nullable Output outer) {
        this.root = root;
        this.levelsBefore = levelsBefore;
        this.outer = outer;
    }

    /** Returns the output that the bytes are written to before they are written to a window. */
    Output encoded() {
        return encoded;
    }

    /** An incomplete value on the stack. */
    private interface ValueWriter {
        /** Encodes some bytes, or starts a nested value; returns true at the end, if it has started none. */
        boolean step();
    }

    @Override
    public void begin(T value) {
        stack.clear();
        encoded.clear();
        if (outer != null) {
            encoded.takeOver(outer);
        }
        writtenCount = 0;
        levels = levelsBefore;
        start(root, Objects.requireNonNull(value));
    }

    @Override
    public boolean isDone() {
        return stack.isEmpty() && writtenCount == encoded.size();
    }

    @Override
    public int write(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        int written = 0;
        while (written < length && !isDone()) {
            discardWritten();
            while (encoded.size() - writtenCount < ENCODED_MIN && !stack.isEmpty()) {
                ValueWriter writer = stack.element();
                if (writer.step()) {
                    stack.remove();
                }
            }
            int count = Math.min(length - written, encoded.size() - writtenCount);
            System.arraycopy(encoded.array(), writtenCount, array, from + written, count);
            written += count;
            writtenCount += count;
        }
        return written;
    }

    /** Moves unwritten bytes to the front if enough are written or none are left. */
    private void discardWritten() {
        if (writtenCount >= ENCODED_MIN || writtenCount == encoded.size()) {
            int left = encoded.size() - writtenCount;
            System.arraycopy(encoded.array(), writtenCount, encoded.array(), 0, left);
            encoded.rewind(left);
            writtenCount = 0;
        }
    }

    // ---- incomplete values ----

    @SuppressWarnings("unchecked")
    private void start(TypeCodec<Object> codec, Object value) {
        switch ((TypeCodec<?>) codec) {
            case StructCodec struct -> startStruct(struct.layout(), value);
            case TypeCodec.Fixed<?> _, CustomCodec _ -> codec.write(value, encoded);
            case StringCodec _ -> startString((String) value);
            case RawBytesCodec _ -> startBytes((byte[]) value, ((byte[]) value).length);
            case PrimitiveArrayCodec array -> startArray(array, value);
            case SequenceCodec<?> sequence -> startSequence(sequence, value);
            case MapCodec map -> startMap(map, (Map<@Nullable Object, @Nullable Object>) value);
            case OptionalCodec optional -> {
                Optional<?> inner = (Optional<?>) value;
                encoded.putByte((byte) (inner.isPresent() ? 1 : 0));
                inner.ifPresent(known -> start(optional.value(), known));
            }
            case SealedCodec sealed -> {
                int number = sealed.number(value);
                encoded.putVar(number);
                start(sealed.subclass(number, NO_INPUT), value);
            }
            case MappedCodec mapped -> start(mapped.stored(), mapped.toStored(value));
            case RecursiveCodec recursive -> {
                if (++levels > CodecLimits.LEVELS_MAX) {
                    throw new IllegalArgumentException("more than " + CodecLimits.LEVELS_MAX
                        + " values nested in each other; is there a cycle?");
                }
                stack.push(() -> {
                    levels--;
                    return true;
                });
                start(recursive.target(), value);
            }
            default -> throw new AssertionError(codec.getClass());
        }
    }

    private static @Nullable Object get(FieldLayout.Field field, Object value) {
        try {
            return field.getter().invoke(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException("the getter of field " + field.name() + " failed", t);
        }
    }

    /** Encodes the null bits and fixed fields, and starts a writer for the variable fields. */
    private void startStruct(FieldLayout layout, Object value) {
        int at = encoded.take(layout.fixedBytes());
        Object[] values = putFixed(layout, value, encoded.array(), at);
        if (!layout.isFixed()) {
            stack.push(new StructWriter(layout, values));
        }
    }

    private static @Nullable Object[] putFixed(FieldLayout layout, Object value, byte[] array, int at) {
        if (layout.hasSubclasses()) {
            FieldLayout.requireExact(value, layout.type());
        }
        LittleEndian.clear(array, at, layout.fixedBytes());
        @Nullable Object[] values = new Object[layout.fields().size()];
        for (int i = 0; i < values.length; i++) {
            FieldLayout.Field field = layout.fields().get(i);
            Object known = get(field, value);
            values[i] = known;
            if (known == null) {
                array[at + field.nullIndex() / Byte.SIZE] |= (byte) (1 << field.nullIndex() % Byte.SIZE);
            } else if (field.isFixed()) {
                putFixed(field, known, array, at + field.offset());
            }
        }
        return values;
    }

    @SuppressWarnings("unchecked")
    private static void putFixed(FieldLayout.Field field, Object value, byte[] array, int at) {
        if (field.codec() instanceof StructCodec struct) {
            putFixed(struct.layout(), value, array, at);
        } else {
            ((TypeCodec.Fixed<Object>) field.codec()).put(value, array, at);
        }
    }

    private final class StructWriter implements ValueWriter {
        private final FieldLayout layout;
        private final @Nullable Object[] values;
        private int next;

        StructWriter(FieldLayout layout, @Nullable Object[] values) {
            this.layout = layout;
            this.values = values;
        }

        @Override
        @SuppressWarnings("unchecked")
        public boolean step() {
            while (next < values.length) {
                FieldLayout.Field field = layout.fields().get(next);
                Object value = values[next++];
                if (field.zigzag()) {
                    encoded.putZigzag(((Number) Objects.requireNonNull(value)).longValue());
                } else if (!field.isFixed() && value != null) {
                    start((TypeCodec<Object>) field.codec(), value);
                    return false;
                }
            }
            return true;
        }
    }

    private void startString(String value) {
        int length = value.length();
        boolean wide = !Latin1.isNarrow(value, length);
        encoded.putVar((long) length << 1 | (wide ? 1 : 0));
        int[] next = {0};
        stack.push(() -> {
            int end = Math.min(length, next[0] + ENCODED_MIN);
            encoded.putChars(value, next[0], end, wide);
            next[0] = end;
            return end == length;
        });
    }

    private void startBytes(byte[] bytes, int length) {
        int[] next = {0};
        stack.push(() -> {
            int piece = Math.min(length - next[0], ENCODED_MIN);
            encoded.putBytes(bytes, next[0], piece);
            next[0] += piece;
            return next[0] == length;
        });
    }

    private void startArray(PrimitiveArrayCodec codec, Object value) {
        int count = Array.getLength(value);
        encoded.putVar(count);
        int[] next = {0};
        stack.push(() -> {
            int piece = Math.min(count - next[0], ENCODED_MIN / Long.BYTES);
            codec.write(value, next[0], piece, encoded);
            next[0] += piece;
            return next[0] == count;
        });
    }

    @SuppressWarnings("unchecked")
    private <C> void startSequence(SequenceCodec<C> codec, Object value) {
        if (codec.isToCheck((C) value) && startChecked(codec, (C) value)) {
            return;
        }
        Collection<@Nullable Object> all = codec.view((C) value);
        int count = all.size();
        boolean nulls = false;
        for (Iterator<@Nullable Object> elements = all.iterator(); elements.hasNext(); ) {
            nulls |= Moment.next(elements, SequenceCodec.CHANGED) == null;
        }
        encoded.addEmptyElements(codec.element().fixedBytes() == 0 ? count : 0);
        encoded.putVar((long) count << 1 | (nulls ? 1 : 0));
        stack.push(new SequenceWriter(codec.element(), all.iterator(), count, nulls));
        if (nulls) {
            stack.push(nullBits(all.iterator(), count));
        }
    }

    /**
     * Encodes a container that must be read for a check as a whole. The checked bytes are written, even if the
     * container has changed meanwhile.
     *
     * @return false if the container is inside of a container that is checked; nothing is done
     */
    private <C> boolean startChecked(TypeCodec<C> codec, C value) {
        if (!encoded.beginCheck()) {
            return false;
        }
        encoded.endCheck();
        Output whole = Output.growing(ENCODED_MIN);
        whole.takeOver(encoded);
        for (int level = 0; level < levels; level++) {
            whole.enter();
        }
        codec.write(value, whole);
        encoded.takeOver(whole);
        startBytes(whole.array(), whole.size());
        return true;
    }

    private ValueWriter nullBits(Iterator<@Nullable Object> elements, int count) {
        int[] next = {0};
        return () -> {
            for (int piece = 0; piece < ENCODED_MIN && next[0] < count; piece++) {
                int bits = 0;
                for (int bit = 0; bit < Byte.SIZE && next[0] < count; bit++, next[0]++) {
                    bits |= Moment.next(elements, SequenceCodec.CHANGED) == null ? 1 << bit : 0;
                }
                encoded.putByte((byte) bits);
            }
            return next[0] == count;
        };
    }

    private final class SequenceWriter implements ValueWriter {
        private final TypeCodec<Object> element;
        private final Iterator<@Nullable Object> elements;
        private final int count;
        private final boolean nulls;
        private int next;

        SequenceWriter(TypeCodec<Object> element, Iterator<@Nullable Object> elements, int count, boolean nulls) {
            this.element = element;
            this.elements = elements;
            this.count = count;
            this.nulls = nulls;
        }

        @Override
        public boolean step() {
            if (next == count) {
                if (elements.hasNext()) {
                    throw new ConcurrentModificationException(SequenceCodec.CHANGED);
                }
                return true;
            }
            Object value = Moment.next(elements, SequenceCodec.CHANGED);
            next++;
            if (value != null) {
                start(element, value);
            } else if (!nulls) {
                throw new ConcurrentModificationException(SequenceCodec.CHANGED);
            } else if (element.isFixed()) {
                int at = encoded.take(element.fixedBytes());
                LittleEndian.clear(encoded.array(), at, element.fixedBytes());
            }
            return false;
        }
    }

    private void startMap(MapCodec codec, Map<@Nullable Object, @Nullable Object> value) {
        if (codec.isToCheck(value) && startChecked(codec, value)) {
            return;
        }
        Collection<Map.Entry<@Nullable Object, @Nullable Object>> entries = codec.entries(value);
        encoded.putVar(entries.size());
        stack.push(new MapWriter(codec, entries));
    }

    private final class MapWriter implements ValueWriter {
        private final MapCodec codec;
        private final Iterator<Map.Entry<@Nullable Object, @Nullable Object>> entries;
        private int left;
        private @Nullable Object value;

        MapWriter(MapCodec codec, Collection<Map.Entry<@Nullable Object, @Nullable Object>> entries) {
            this.codec = codec;
            this.entries = entries.iterator();
            this.left = entries.size();
        }

        @Override
        public boolean step() {
            Object before = value;
            if (before != null) {
                value = null;
                start(codec.value(), before);
                return false;
            }
            if (left-- == 0) {
                if (entries.hasNext()) {
                    throw new ConcurrentModificationException(MapCodec.CHANGED);
                }
                return true;
            }
            Map.Entry<?, ?> entry = Moment.next(entries, MapCodec.CHANGED);
            Object key = entry.getKey();
            value = entry.getValue();
            encoded.putByte((byte) ((key == null ? MapCodec.NULL_KEY : 0) | (value == null ? MapCodec.NULL_VALUE : 0)));
            if (key != null) {
                start(codec.key(), key);
            }
            return false;
        }
    }
}
