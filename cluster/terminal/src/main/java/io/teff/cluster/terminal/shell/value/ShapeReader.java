package io.teff.cluster.terminal.shell.value;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.schema.Codecs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the bytes of described values as texts, numbers, booleans, lists and maps. */
final class ShapeReader {
    private static final int DEPTH_MAX = 64;
    private static final int NULL_KEY = 1;
    private static final int NULL_VALUE = 2;

    private final Input in;
    private int depth;

    private ShapeReader(Input in) {
        this.in = in;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the bytes are not of the shape
     */
    static Object read(ValueShape shape, byte[] bytes) {
        Input in = new Input(bytes, 0, bytes.length);
        Object value;
        try {
            value = new ShapeReader(in).value(shape);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the bytes are not as they are described", e);
        }
        if (in.left() > 0) {
            throw new IllegalArgumentException(in.left() + " bytes are left behind the value");
        }
        return value;
    }

    private Object value(ValueShape shape) {
        if (++depth > DEPTH_MAX) {
            throw new IllegalArgumentException("more than " + DEPTH_MAX + " values inside of each other");
        }
        Object value = switch (shape) {
            case ValueShape.Scalar scalar -> scalar(scalar.kind());
            case ValueShape.Zigzag _ -> in.getZigzag();
            case ValueShape.Text _ -> in.getString();
            case ValueShape.Rest _ -> rest();
            case ValueShape.Custom _ -> bytes(in.getCount(1));
            case ValueShape.Numbers numbers -> numbers(numbers.kind());
            case ValueShape.Standard standard -> standard(standard.type());
            case ValueShape.Constants constants -> constant(constants);
            case ValueShape.Maybe maybe -> in.getByte() == 0 ? "absent" : value(maybe.value());
            case ValueShape.Choice choice -> choice(choice);
            case ValueShape.Sequence sequence -> sequence(sequence.element());
            case ValueShape.Entries entries -> entries(entries);
            case ValueShape.Again again -> struct(again.struct());
            case ValueShape.Struct struct -> struct(struct);
        };
        depth--;
        return value;
    }

    private ByteBuffer take(int bytes) {
        return ByteBuffer.wrap(in.array(), in.take(bytes), bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private Object scalar(ScalarKind kind) {
        return kind.read(take(kind.bytes()));
    }

    private String bytes(int count) {
        int at = in.take(count);
        return HexFormat.of().formatHex(in.array(), at, at + count);
    }

    private String rest() {
        int length = in.left();
        int at = in.take(length);
        return BytesText.of(Arrays.copyOfRange(in.array(), at, at + length));
    }

    private Object numbers(ScalarKind kind) {
        int count = in.getCount(kind.bytes());
        if (kind == ScalarKind.BYTE) {
            return bytes(count);
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(scalar(kind));
        }
        return values;
    }

    private String standard(Class<?> type) {
        Codec<?> codec = Codecs.of(type);
        return String.valueOf(codec.read(in));
    }

    private String constant(ValueShape.Constants constants) {
        int number = constants.fixedBytes() == 1 ? in.getByte() & 0xFF : take(Short.BYTES).getChar();
        return constants.names().get(number);
    }

    private Object choice(ValueShape.Choice choice) {
        int number = Math.toIntExact(in.getVar());
        Map<String, @Nullable Object> tagged = new LinkedHashMap<>();
        tagged.put("type", choice.names().get(number));
        Object value = value(choice.shapes().get(number));
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, each) -> tagged.put(String.valueOf(name), each));
        } else {
            tagged.put("value", value);
        }
        return tagged;
    }

    private Object sequence(ValueShape element) {
        long header = in.getVar();
        boolean hasNulls = (header & 1) != 0;
        int bytes = element.fixedBytes();
        int count = hasNulls && bytes < 0 ? in.checkBits(header >>> 1)
            : in.checkCount(header >>> 1, Math.max(bytes, bytes < 0 ? 1 : 0));
        byte[] nulls = hasNulls ? nullBits(count) : new byte[0];
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean isNull = hasNulls && isSet(nulls, i);
            if (!isNull) {
                values.add(value(element));
            } else {
                in.take(Math.max(bytes, 0));
                values.add(null);
            }
        }
        return values;
    }

    private byte[] nullBits(int count) {
        int bytes = (count + Byte.SIZE - 1) / Byte.SIZE;
        int at = in.take(bytes);
        return Arrays.copyOfRange(in.array(), at, at + bytes);
    }

    private static boolean isSet(byte[] bits, int index) {
        return (bits[index / Byte.SIZE] & 1 << index % Byte.SIZE) != 0;
    }

    private Object entries(ValueShape.Entries entries) {
        int count = in.getCount(1);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            int nulls = in.getByte();
            Object key = (nulls & NULL_KEY) != 0 ? "null" : value(entries.key());
            values.put(String.valueOf(key), (nulls & NULL_VALUE) != 0 ? null : value(entries.value()));
        }
        return values;
    }

    /** Reads a struct: fixed fields first, then the others; shows the fields in their order. */
    private Object struct(ValueShape.Struct struct) {
        byte[] nulls = nullBits(struct.nullBytes() * Byte.SIZE);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        struct.fields().forEach(field -> values.put(field.name(), null));
        for (boolean isFixedTurn : new boolean[] {true, false}) {
            int nullIndex = 0;
            for (ValueShape.Field field : struct.fields()) {
                boolean isNull = field.isReference() && isSet(nulls, nullIndex++);
                int bytes = field.shape().fixedBytes();
                if (bytes >= 0 != isFixedTurn) {
                    continue;
                }
                if (!isNull) {
                    values.put(field.name(), value(field.shape()));
                } else {
                    in.take(Math.max(bytes, 0));
                }
            }
        }
        return values;
    }
}
