package io.teff.cluster.terminal.shell.value;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys, values or elements of a collection, by the description that the collection keeps of their codec. Each value
 * is an array of its bytes. The shell needs no class of the application.
 */
public final class Described implements Codec<byte[]> {
    private static final int EXCERPT = 60;

    private final String description;
    private final @Nullable ValueShape shape;

    private Described(String description, @Nullable ValueShape shape) {
        this.description = description;
        this.shape = shape;
    }

    /**
     * {@return the codec of values with a description, also of an unknown kind}
     *
     * @param description as a named collection keeps it
     */
    public static Described of(String description) {
        ValueShape shape;
        try {
            shape = ShapeParser.parse(description);
        } catch (IllegalArgumentException _) {
            shape = null;                                       // the codec of an application: shown as bytes
        }
        return new Described(description, shape);
    }

    /** {@return whether values are shown as values, and not as bytes} */
    public boolean isReadable() {
        return shape != null;
    }

    /** {@return the description for people, in one line} */
    public String excerpt() {
        return description.length() <= EXCERPT ? description : description.substring(0, EXCERPT) + "...";
    }

    // ---- values ----

    /**
     * Shows a value.
     *
     * @param bytes bytes of the value
     * @return a text, number or boolean, or a list or map of these; {"hex": ...} for bytes that cannot be read
     */
    public Object shown(byte[] bytes) {
        if (shape != null) {
            try {
                return ShapeReader.read(shape, bytes);
            } catch (IllegalArgumentException _) {
                return hex(bytes);                              // damaged, or of a later version of the engine
            }
        }
        return hex(bytes);
    }

    private static Map<String, Object> hex(byte[] bytes) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("hex", HexFormat.of().formatHex(bytes));
        return shown;
    }

    /**
     * Makes the bytes of a value from a word.
     *
     * @param word a text, number, boolean or constant; or {@code 0x} and hexadecimal digits for the bytes themselves
     * @return the bytes
     * @throws IllegalArgumentException if the word is no such value
     */
    public byte[] bytes(String word) {
        if (word.startsWith("0x") && !(shape instanceof ValueShape.Text)) {
            return BytesText.digits(word);
        }
        Output out = Output.growing(Long.BYTES);
        switch (shape) {
            case ValueShape.Text _ -> out.putString(word);
            case ValueShape.Rest _ -> {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                out.putBytes(bytes, 0, bytes.length);
            }
            case ValueShape.Scalar scalar -> {
                byte[] bytes = scalar(scalar.kind(), word);
                out.putBytes(bytes, 0, bytes.length);
            }
            case ValueShape.Constants constants -> constant(constants.names(), constants.fixedBytes(), word, out);
            case null, default -> throw new IllegalArgumentException("the shell writes no values of " + excerpt()
                + "; allowed: 0x and hexadecimal digits, the bytes of the value");
        }
        return out.toByteArray();
    }

    private static byte[] scalar(ScalarKind kind, String word) {
        ByteBuffer to = ByteBuffer.allocate(kind.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        try {
            kind.write(word, to);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + word + "' is no " + kind.name().toLowerCase(Locale.ROOT),
                e);
        }
        return to.array();
    }

    private static void constant(List<String> names, int bytes, String word, Output out) {
        int number = names.indexOf(word);
        if (number < 0) {
            throw new IllegalArgumentException("'" + word + "' is no constant; allowed: " + String.join(", ", names));
        }
        for (int i = 0; i < bytes; i++) {
            out.putByte((byte) (number >>> i * Byte.SIZE));
        }
    }

    // ---- the codec ----

    @Override
    public void write(byte[] value, Output out) {
        out.putBytes(value, 0, value.length);
    }

    @Override
    public byte[] read(Input in) {
        int length = in.left();
        int at = in.take(length);
        return Arrays.copyOfRange(in.array(), at, at + length);
    }

    @Override
    public long fingerprint() {
        return description.hashCode();
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public boolean hasBytesOf(String written) {
        return written.equals(description);
    }

    @Override
    public int fixedBytes() {
        return shape == null ? ValueShape.VARIABLE : shape.fixedBytes();
    }

    /**
     * {@return the engine's own codec of the keys of a sorted map, which has an order; null for other keys}
     */
    public @Nullable Codec<?> ordered() {
        for (Codec<?> codec : List.of(Codecs.LONG, Codecs.INT, Codecs.STRING, Codecs.BYTES)) {
            if (codec.hasBytesOf(description)) {
                return codec;
            }
        }
        return null;
    }
}
