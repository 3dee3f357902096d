package io.teff.engine.codec;

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
 * Writes a value in pieces: each call fills a window to its last byte, the next call goes on behind that, whatever byte
 * of whatever field it was. The bytes are those that {@link Schema#write} makes at once.
 *
 * <p>The state is a stack of what is under way (a struct with the number of its next field, a collection with its
 * iterator, a string with the number of its next char) and some bytes that are made and not yet handed out: a few
 * thousand at most, whatever the value's size, or those of one value of a hand-written codec. The value must not
 * change until it is written. Not thread-safe.
 *
 * @param <T> type of the values
 */
public final class PartialWriter<T> {
    private static final int PIECE = 1024;
    /** For complaints about bytes that there are none of. */
    private static final Input NO_INPUT = new Input(new byte[0], 0, 0);

    private final Part<Object> root;
    private final Output made = Output.growing(2 * PIECE);
    private final Deque<Frame> stack = new ArrayDeque<>();
    private final int levelsBefore;
    private int levels;
    private int handedOut;

    PartialWriter(Part<Object> root) {
        this(root, 0);
    }

    /** Of a value that lies so many levels deep in another. */
    PartialWriter(Part<Object> root, int levelsBefore) {
        this.root = root;
        this.levelsBefore = levelsBefore;
    }

    /** Something under way. */
    private interface Frame {
        /** Makes a few bytes, or begins something inside; true at the end, when nothing inside was begun. */
        boolean step();
    }

    /**
     * Begins a value; what was left of the one before is forgotten.
     *
     * @param value not null
     */
    public void begin(T value) {
        stack.clear();
        made.clear();
        handedOut = 0;
        levels = levelsBefore;
        start(root, Objects.requireNonNull(value));
    }

    /**
     * Tells whether everything is written.
     *
     * @return false if another call of {@link #write} must follow
     */
    public boolean isDone() {
        return stack.isEmpty() && handedOut == made.size();
    }

    /**
     * Writes the next bytes.
     *
     * @param array where to
     * @param from first index
     * @param length how much room there is
     * @return bytes written; less than {@code length} only at the end
     */
    public int write(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        int written = 0;
        while (written < length && !isDone()) {
            forgetHandedOut();
            while (made.size() - handedOut < PIECE && !stack.isEmpty()) {
                Frame frame = stack.element();
                if (frame.step()) {
                    stack.remove();
                }
            }
            int count = Math.min(length - written, made.size() - handedOut);
            System.arraycopy(made.array(), handedOut, array, from + written, count);
            written += count;
            handedOut += count;
        }
        return written;
    }

    /** Moves what is left to the front, now and then. */
    private void forgetHandedOut() {
        if (handedOut >= PIECE || handedOut == made.size()) {
            int left = made.size() - handedOut;
            System.arraycopy(made.array(), handedOut, made.array(), 0, left);
            made.rewind(left);
            handedOut = 0;
        }
    }

    // ---- what is under way ----

    private void start(Part<Object> part, Object value) {
        switch ((Part<?>) part) {
            case Struct struct -> startStruct(struct.layout(), value);
            case Part.Fixed<?> _, CustomPart _ -> part.write(value, made);
            case StringPart _ -> startString((String) value);
            case RestPart _ -> startRest((byte[]) value);
            case PrimitiveArrayPart array -> startArray(array, value);
            case ElementsPart<?> elements -> startElements(elements, value);
            case MapPart map -> startMap(map, (Map<?, ?>) value);
            case OptionalPart optional -> {
                Optional<?> inner = (Optional<?>) value;
                made.putByte((byte) (inner.isPresent() ? 1 : 0));
                inner.ifPresent(known -> start(optional.value(), known));
            }
            case SealedPart sealed -> {
                int number = sealed.number(value);
                made.putVar(number);
                start(sealed.part(number, NO_INPUT), value);
            }
            case MappedPart mapped -> start(mapped.stored(), mapped.toStored(value));
            case RecursivePart recursive -> {
                if (++levels > Depth.LEVELS_MAX) {
                    throw new IllegalArgumentException("more than " + Depth.LEVELS_MAX
                        + " values inside of each other: a cycle?");
                }
                stack.push(() -> {
                    levels--;
                    return true;
                });
                start(recursive.target(), value);
            }
            default -> throw new AssertionError(part.getClass());
        }
    }

    private static @Nullable Object get(Layout.Field field, Object value) {
        try {
            return field.getter().invoke(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException("reading " + field.name(), t);
        }
    }

    /** Makes the null bits and fixed fields, and remembers the others. */
    private void startStruct(Layout layout, Object value) {
        int at = made.take(layout.fixedBytes());
        Object[] values = putFixed(layout, value, made.array(), at);
        if (!layout.isFixed()) {
            stack.push(new StructFrame(layout, values));
        }
    }

    private static @Nullable Object[] putFixed(Layout layout, Object value, byte[] array, int at) {
        if (layout.hasSubclasses()) {
            Layout.requireExact(value, layout.type());
        }
        Bytes.clear(array, at, layout.fixedBytes());
        @Nullable Object[] values = new Object[layout.fields().size()];
        for (int i = 0; i < values.length; i++) {
            Layout.Field field = layout.fields().get(i);
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
    private static void putFixed(Layout.Field field, Object value, byte[] array, int at) {
        if (field.part() instanceof Struct struct) {
            putFixed(struct.layout(), value, array, at);
        } else {
            ((Part.Fixed<Object>) field.part()).put(value, array, at);
        }
    }

    private final class StructFrame implements Frame {
        private final Layout layout;
        private final @Nullable Object[] values;
        private int next;

        StructFrame(Layout layout, @Nullable Object[] values) {
            this.layout = layout;
            this.values = values;
        }

        @Override
        @SuppressWarnings("unchecked")
        public boolean step() {
            while (next < values.length) {
                Layout.Field field = layout.fields().get(next);
                Object value = values[next++];
                if (field.zigzag()) {
                    made.putZigzag(((Number) Objects.requireNonNull(value)).longValue());
                } else if (!field.isFixed() && value != null) {
                    start((Part<Object>) field.part(), value);
                    return false;
                }
            }
            return true;
        }
    }

    private void startString(String value) {
        int length = value.length();
        boolean wide = !Output.isNarrow(value, length);
        made.putVar((long) length << 1 | (wide ? 1 : 0));
        int[] next = {0};
        stack.push(() -> {
            int end = Math.min(length, next[0] + PIECE);
            made.putChars(value, next[0], end, wide);
            next[0] = end;
            return end == length;
        });
    }

    private void startRest(byte[] value) {
        int[] next = {0};
        stack.push(() -> {
            int piece = Math.min(value.length - next[0], PIECE);
            made.putBytes(value, next[0], piece);
            next[0] += piece;
            return next[0] == value.length;
        });
    }

    private void startArray(PrimitiveArrayPart part, Object value) {
        int count = Array.getLength(value);
        made.putVar(count);
        int[] next = {0};
        stack.push(() -> {
            int piece = Math.min(count - next[0], PIECE / Long.BYTES);
            part.write(value, next[0], piece, made);
            next[0] += piece;
            return next[0] == count;
        });
    }

    @SuppressWarnings("unchecked")
    private <C> void startElements(ElementsPart<C> part, Object value) {
        Collection<@Nullable Object> all = part.view((C) value);
        int count = all.size();
        boolean nulls = false;
        for (Object element : all) {
            nulls |= element == null;
        }
        made.putVar((long) count << 1 | (nulls ? 1 : 0));
        stack.push(new ElementsFrame(part.element(), all.iterator(), count, nulls));
        if (nulls) {
            stack.push(nullBits(all.iterator(), count));
        }
    }

    private Frame nullBits(Iterator<@Nullable Object> elements, int count) {
        int[] next = {0};
        return () -> {
            for (int piece = 0; piece < PIECE && next[0] < count; piece++) {
                int bits = 0;
                for (int bit = 0; bit < Byte.SIZE && next[0] < count; bit++, next[0]++) {
                    bits |= elements.next() == null ? 1 << bit : 0;
                }
                made.putByte((byte) bits);
            }
            return next[0] == count;
        };
    }

    private final class ElementsFrame implements Frame {
        private final Part<Object> element;
        private final Iterator<@Nullable Object> elements;
        private final int count;
        private final boolean nulls;
        private int next;

        ElementsFrame(Part<Object> element, Iterator<@Nullable Object> elements, int count, boolean nulls) {
            this.element = element;
            this.elements = elements;
            this.count = count;
            this.nulls = nulls;
        }

        @Override
        public boolean step() {
            if (next == count) {
                if (elements.hasNext()) {
                    throw new ConcurrentModificationException("more elements than there were");
                }
                return true;
            }
            Object value = elements.next();
            next++;
            if (value != null) {
                start(element, value);
            } else if (!nulls) {
                throw new ConcurrentModificationException("a null that was not there");
            } else if (element.isFixed()) {
                int at = made.take(element.fixedBytes());
                Bytes.clear(made.array(), at, element.fixedBytes());
            }
            return false;
        }
    }

    private void startMap(MapPart part, Map<?, ?> value) {
        made.putVar(value.size());
        stack.push(new MapFrame(part, value));
    }

    private final class MapFrame implements Frame {
        private final MapPart part;
        private final Iterator<? extends Map.Entry<?, ?>> entries;
        private int left;
        private @Nullable Object value;

        MapFrame(MapPart part, Map<?, ?> map) {
            this.part = part;
            this.entries = map.entrySet().iterator();
            this.left = map.size();
        }

        @Override
        public boolean step() {
            Object before = value;
            if (before != null) {
                value = null;
                start(part.value(), before);
                return false;
            }
            if (left-- == 0) {
                if (entries.hasNext()) {
                    throw new ConcurrentModificationException("more entries than there were");
                }
                return true;
            }
            Map.Entry<?, ?> entry = entries.next();
            Object key = entry.getKey();
            value = entry.getValue();
            made.putByte((byte) ((key == null ? MapPart.NULL_KEY : 0) | (value == null ? MapPart.NULL_VALUE : 0)));
            if (key != null) {
                start(part.key(), key);
            }
            return false;
        }
    }
}
