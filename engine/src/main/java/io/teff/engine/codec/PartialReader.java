package io.teff.engine.codec;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value from pieces: each call uses up a window, the next goes on behind it, whatever byte of whatever field it
 * was. No byte is looked at twice but those of one field that is cut.
 *
 * <p>The state is a stack of what is under way, with what was read of it, and the bytes of the one field that is cut.
 * Memory grows with what arrives, not with what is announced. Not thread-safe.
 *
 * @param <T> type of the values
 */
public final class PartialReader<T> {
    private static final int CAPACITY_MIN = 64;

    private final Class<T> type;
    private final Part<Object> root;
    private final Pieces pieces;
    /** Over what was collected. */
    private final Input in;
    private final Deque<Frame> stack = new ArrayDeque<>();
    private final int levelsBefore;
    private final int emptyElementsBefore;
    private int levels;
    private @Nullable Object value;

    PartialReader(Class<T> type, Part<Object> root, int bytesMax) {
        this(type, root, bytesMax, 0, 0);
    }

    /** Of a value so many levels deep in another, of which so many elements without bytes were read before. */
    PartialReader(Class<T> type, Part<Object> root, int bytesMax, int levelsBefore, int emptyElementsBefore) {
        this.type = type;
        this.root = root;
        this.levelsBefore = levelsBefore;
        this.emptyElementsBefore = emptyElementsBefore;
        this.pieces = new Pieces(bytesMax);
        this.in = pieces.in();
        begin();
    }

    /** Something under way. */
    private abstract static class Frame {
        /** What to do with a value that was begun inside. */
        void accept(@Nullable Object inner) {
            throw new AssertionError(getClass());
        }

        /** Uses bytes or begins something inside; {@link Step#DONE} when {@link #result} can be asked. */
        abstract Step step();

        abstract @Nullable Object result();
    }

    private enum Step {
        /** Bytes are missing. */
        STARVED,
        /** Something was done. */
        MORE,
        /** The value is there. */
        DONE
    }

    /** Begins with the next value; what was read of the one before is forgotten. */
    public void begin() {
        stack.clear();
        pieces.begin(emptyElementsBefore);
        levels = levelsBefore;
        value = null;
        start(root);
    }

    /**
     * Tells whether the value is complete.
     *
     * @return whether {@link #value()} may be called
     */
    public boolean isDone() {
        return stack.isEmpty();
    }

    /**
     * The value, when all its bytes were read.
     *
     * @return it
     * @throws IllegalStateException if it is not complete
     */
    public T value() {
        if (!isDone()) {
            throw new IllegalStateException("the value is not complete after " + pieces.readCount() + " bytes");
        }
        return type.cast(Objects.requireNonNull(value));
    }

    /**
     * Reads the next bytes.
     *
     * @param array where they are
     * @param from first index
     * @param length how many there are
     * @return bytes that were used: all of them, or those up to the end of the value
     * @throws MalformedException if these are not the bytes of such a value
     */
    public int read(byte[] array, int from, int length) {
        pieces.window(array, from, length);
        try {
            run();
        } catch (MalformedException e) {
            throw e.at(pieces.readCount());
        } catch (RuntimeException | StackOverflowError e) {     // hash codes of deep keys
            throw new MalformedException(pieces.readCount(), "values that " + type.getName() + " refuses", e);
        }
        return pieces.position() - from;
    }

    private void run() {
        while (!stack.isEmpty()) {
            Frame frame = stack.element();
            Step step = frame.step();
            if (step == Step.STARVED) {
                return;
            }
            if (step == Step.DONE) {
                Object result = frame.result();
                stack.remove();
                if (stack.isEmpty()) {
                    value = result;
                } else {
                    stack.element().accept(result);
                }
            }
        }
    }

    // ---- what is under way ----

    private void start(Part<Object> part) {
        switch ((Part<?>) part) {
            case Struct struct -> stack.push(new StructFrame(struct.layout()));
            case Part.Fixed<?> _ -> stack.push(new FixedFrame(part));
            case StringPart _ -> stack.push(new StringFrame());
            case PrimitiveArrayPart array -> stack.push(new ArrayFrame(array));
            case CustomPart custom -> stack.push(new CustomFrame(custom));
            case ElementsPart<?> elements -> stack.push(new ElementsFrame<>(elements));
            case MapPart map -> stack.push(new MapFrame(map));
            case OptionalPart optional -> stack.push(new OptionalFrame(optional));
            case SealedPart sealed -> stack.push(new SealedFrame(sealed));
            case MappedPart mapped -> {
                stack.push(new MappedFrame(mapped));
                start(mapped.stored());
            }
            case RecursivePart recursive -> {
                if (++levels > Depth.LEVELS_MAX) {
                    throw in.malformed("more than " + Depth.LEVELS_MAX + " values inside of each other");
                }
                stack.push(new LevelFrame());
                start(recursive.target());
            }
            default -> throw new AssertionError(part.getClass());
        }
    }

    private final class FixedFrame extends Frame {
        private final Part<Object> part;
        private @Nullable Object result;

        FixedFrame(Part<Object> part) {
            this.part = part;
        }

        @Override
        Step step() {
            if (!pieces.collect(part.fixedBytes())) {
                return Step.STARVED;
            }
            result = part.read(in);
            return Step.DONE;
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    private final class StructFrame extends Frame {
        private final Layout layout;
        private final @Nullable Object[] values;
        private final boolean[] isNull;
        private boolean fixedRead;
        private int next;

        StructFrame(Layout layout) {
            this.layout = layout;
            values = new Object[layout.fields().size()];
            isNull = new boolean[values.length];
        }

        @Override
        Step step() {
            if (!fixedRead) {
                if (!pieces.collect(layout.fixedBytes())) {
                    return Step.STARVED;
                }
                getFixed(layout, in.array(), 0, values, isNull);
                fixedRead = true;
            }
            while (next < values.length) {
                Layout.Field field = layout.fields().get(next);
                if (field.zigzag()) {
                    if (!pieces.collectVar()) {
                        return Step.STARVED;
                    }
                    if (field.scalar() == Scalar.INT) {
                        values[next] = in.getZigzagInt();
                    } else {
                        values[next] = in.getZigzag();
                    }
                } else if (!field.isFixed() && !isNull[next]) {
                    begin(field);
                    return Step.MORE;
                }
                next++;
            }
            return Step.DONE;
        }

        @SuppressWarnings("unchecked")
        private void begin(Layout.Field field) {
            start((Part<Object>) field.part());
        }

        @Override
        void accept(@Nullable Object inner) {
            values[next++] = inner;
        }

        @Override
        Object result() {
            return construct(layout, values);
        }
    }

    private void getFixed(Layout layout, byte[] array, int at, @Nullable Object[] values, boolean[] isNull) {
        if (layout.nullBytes() > 0) {
            Bytes.requireClear(array[at + layout.nullBytes() - 1], layout.unusedNullBits(), in);
        }
        for (int i = 0; i < values.length; i++) {
            Layout.Field field = layout.fields().get(i);
            int bit = field.nullIndex();
            isNull[i] = bit >= 0 && (array[at + bit / Byte.SIZE] & 1 << bit % Byte.SIZE) != 0;
            if (field.isFixed() && !isNull[i]) {
                values[i] = getFixed(field, array, at + field.offset());
            }
        }
    }

    private @Nullable Object getFixed(Layout.Field field, byte[] array, int at) {
        if (field.part() instanceof Struct struct) {
            @Nullable Object[] values = new Object[struct.layout().fields().size()];
            getFixed(struct.layout(), array, at, values, new boolean[values.length]);
            return construct(struct.layout(), values);
        }
        return ((Part.Fixed<?>) field.part()).get(array, at, in);
    }

    private static Object construct(Layout layout, @Nullable Object[] values) {
        try {
            return layout.constructor().invokeWithArguments(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException("making a " + layout.type().getName(), t);
        }
    }

    /** Bytes that come behind a number which says how many. */
    private abstract class BytesFrame extends Frame {
        private boolean begun;
        private byte[] bytes = new byte[CAPACITY_MIN];
        private int count;
        private int needed;

        /** Bytes to follow a header. */
        abstract int needed(long header);

        /** Takes the bytes. */
        abstract void complete(byte[] all, int length);

        @Override
        Step step() {
            if (!begun) {
                if (!pieces.collectVar()) {
                    return Step.STARVED;
                }
                needed = needed(in.getVar());
                begun = true;
            }
            int piece = Math.min(needed - count, pieces.left());
            if (count + piece > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(needed, Math.max(count + piece, bytes.length * 2L)));
            }
            pieces.take(bytes, count, piece);
            count += piece;
            if (count < needed) {
                return Step.STARVED;
            }
            complete(bytes, count);
            return Step.DONE;
        }
    }

    private final class StringFrame extends BytesFrame {
        private boolean wide;
        private @Nullable String result;

        @Override
        int needed(long header) {
            wide = (header & 1) != 0;
            int length = pieces.checkCount(header >>> 1, wide ? Character.BYTES : 1);
            return wide ? length * Character.BYTES : length;
        }

        @Override
        void complete(byte[] all, int length) {
            if (wide) {
                in.reset(all, 0, length);
                result = in.getWide(length / Character.BYTES);
            } else {
                result = new String(all, 0, length, StandardCharsets.ISO_8859_1);
            }
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    private final class ArrayFrame extends BytesFrame {
        private final PrimitiveArrayPart part;
        private @Nullable Object result;

        ArrayFrame(PrimitiveArrayPart part) {
            this.part = part;
        }

        @Override
        int needed(long header) {
            return pieces.checkCount(header, part.scalar().bytes()) * part.scalar().bytes();
        }

        @Override
        void complete(byte[] all, int length) {
            in.reset(all, 0, length);
            result = part.read(length / part.scalar().bytes(), in);
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    private final class CustomFrame extends BytesFrame {
        private final CustomPart part;
        private @Nullable Object result;

        CustomFrame(CustomPart part) {
            this.part = part;
        }

        @Override
        int needed(long header) {
            return pieces.checkCount(header, 1);
        }

        @Override
        void complete(byte[] all, int length) {
            in.reset(all, 0, length);
            in.emptyElements(pieces.emptyElements());
            result = part.read(length, in);
            pieces.emptyElements(in.emptyElements());
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    private final class ElementsFrame<C> extends Frame {
        private final ElementsPart<C> part;
        private final List<@Nullable Object> elements = new ArrayList<>();
        private byte[] nullBits = new byte[0];
        private int nullBytes = -1;
        private int nullBytesRead;
        private int count = -1;

        ElementsFrame(ElementsPart<C> part) {
            this.part = part;
        }

        @Override
        Step step() {
            if (count < 0 && !header() || nullBytesRead < nullBytes && !nullBits()) {
                return Step.STARVED;
            }
            int bytes = part.element().isFixed() ? part.element().fixedBytes() : 0;
            while (elements.size() < count) {
                if (!isNull(elements.size())) {
                    start(part.element());
                    return Step.MORE;
                }
                if (!pieces.collect(bytes)) {
                    return Step.STARVED;
                }
                elements.add(null);
            }
            return Step.DONE;
        }

        private boolean header() {
            if (!pieces.collectVar()) {
                return false;
            }
            long header = in.getVar();
            boolean nulls = (header & 1) != 0;
            boolean byBits = nulls && !part.element().isFixed();
            count = byBits ? pieces.checkBits(header >>> 1)
                : pieces.checkCount(header >>> 1, part.element().bytesMin());
            nullBytes = nulls ? (count + Byte.SIZE - 1) / Byte.SIZE : 0;
            return true;
        }

        private boolean nullBits() {
            int piece = Math.min(nullBytes - nullBytesRead, pieces.left());
            if (nullBytesRead + piece > nullBits.length) {
                nullBits = Arrays.copyOf(nullBits, Math.max(nullBytesRead + piece, nullBits.length * 2));
            }
            pieces.take(nullBits, nullBytesRead, piece);
            nullBytesRead += piece;
            return nullBytesRead == nullBytes;
        }

        private boolean isNull(int index) {
            return nullBytes > 0 && (nullBits[index / Byte.SIZE] & 1 << index % Byte.SIZE) != 0;
        }

        @Override
        void accept(@Nullable Object inner) {
            elements.add(inner);
        }

        @Override
        Object result() {
            C made = part.make(count);
            for (int i = 0; i < count; i++) {
                if (!part.add(made, i, elements.get(i))) {
                    throw in.malformed("an element that is there already");
                }
            }
            return Objects.requireNonNull(made);
        }
    }

    private final class MapFrame extends Frame {
        private final MapPart part;
        private @Nullable Map<@Nullable Object, @Nullable Object> map;
        private int left;
        private int nulls;
        private boolean hasKey;
        private boolean underWay;
        private @Nullable Object key;

        MapFrame(MapPart part) {
            this.part = part;
        }

        @Override
        Step step() {
            Map<@Nullable Object, @Nullable Object> known = map;
            if (known == null) {
                if (!pieces.collectVar()) {
                    return Step.STARVED;
                }
                left = pieces.checkCount(in.getVar(), 1);
                known = part.make(0);
                map = known;
            }
            if (!underWay) {
                if (left == 0) {
                    return Step.DONE;
                }
                if (!pieces.collect(1)) {
                    return Step.STARVED;
                }
                nulls = in.getByte();
                Bytes.requireClear(nulls, ~(MapPart.NULL_KEY | MapPart.NULL_VALUE), in);
                underWay = true;
                hasKey = (nulls & MapPart.NULL_KEY) != 0;
                key = null;
            }
            if (!hasKey) {
                start(part.key());
            } else if ((nulls & MapPart.NULL_VALUE) == 0) {
                start(part.value());
            } else {
                put(null);
            }
            return Step.MORE;
        }

        @Override
        void accept(@Nullable Object inner) {
            if (!hasKey) {
                key = inner;
                hasKey = true;
            } else {
                put(inner);
            }
        }

        private void put(@Nullable Object entryValue) {
            Map<@Nullable Object, @Nullable Object> known = Objects.requireNonNull(map);
            int before = known.size();
            known.put(key, entryValue);
            if (known.size() == before) {
                throw in.malformed("a key that is there already");
            }
            underWay = false;
            left--;
        }

        @Override
        @Nullable Object result() {
            return map;
        }
    }

    private final class OptionalFrame extends Frame {
        private final OptionalPart part;
        private boolean begun;
        private Optional<Object> result = Optional.empty();

        OptionalFrame(OptionalPart part) {
            this.part = part;
        }

        @Override
        Step step() {
            if (begun) {
                return Step.DONE;
            }
            if (!pieces.collect(1)) {
                return Step.STARVED;
            }
            begun = true;
            if (Scalar.getBoolean(in.array(), 0, in)) {
                start(part.value());
                return Step.MORE;
            }
            return Step.DONE;
        }

        @Override
        void accept(@Nullable Object inner) {
            result = Optional.of(Objects.requireNonNull(inner));
        }

        @Override
        Object result() {
            return result;
        }
    }

    private final class SealedFrame extends Frame {
        private final SealedPart part;
        private @Nullable Object result;

        SealedFrame(SealedPart part) {
            this.part = part;
        }

        @Override
        Step step() {
            if (result != null) {
                return Step.DONE;
            }
            if (!pieces.collectVar()) {
                return Step.STARVED;
            }
            start(part.part(in.getVar(), in));
            return Step.MORE;
        }

        @Override
        void accept(@Nullable Object inner) {
            result = inner;
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    /** Elements without bytes that were read so far. */
    int emptyElements() {
        return pieces.emptyElements();
    }

    /** Stays below what is inside of a recursive value. */
    private final class LevelFrame extends Frame {
        private @Nullable Object result;

        @Override
        Step step() {
            return Step.DONE;
        }

        @Override
        void accept(@Nullable Object inner) {
            result = inner;
        }

        @Override
        @Nullable Object result() {
            levels--;
            return result;
        }
    }

    private static final class MappedFrame extends Frame {
        private final MappedPart part;
        private @Nullable Object stored;

        MappedFrame(MappedPart part) {
            this.part = part;
        }

        @Override
        Step step() {
            return Step.DONE;
        }

        @Override
        void accept(@Nullable Object inner) {
            stored = inner;
        }

        @Override
        Object result() {
            return part.fromStored(Objects.requireNonNull(stored));
        }
    }
}
