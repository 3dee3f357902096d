package io.teff.cluster.terminal.shell.value;

import io.teff.engine.os.FailureText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a chunk as a user names the layout: fields side by side, without gaps, little-endian.
 * <pre>
 *  layout = field ("," field)*
 *  field  = [name "="] type
 *  type   = ("bool" | "byte" | "short" | "int" | "long" | "float" | "double" | "cid") ["[" [count] "]"]
 *         | ("utf8" | "hex") [":" bytes] | "skip:" bytes
 * </pre>
 * A type without its count or bytes takes the rest of the chunk, so it is the last field. Text of a fixed number of
 * bytes ends at its first zero byte.
 */
public final class Layout {
    private static final Pattern FIELD = Pattern.compile("(?:([A-Za-z_][A-Za-z_0-9-]*)=)?([a-z0-9]+?)"
        + "(?:(\\[)(\\d{0,7})\\]|:(\\d{1,7}))?");
    private static final int REST = -1;
    private static final int ONE = -2;
    private static final int BYTES_MAX = 1 << 20;
    private static final String UTF8 = "utf8";
    private static final String HEX = "hex";
    private static final String SKIP = "skip";

    private final List<Field> fields;

    /**
     * A field.
     *
     * @param name name of the field, or a number
     * @param type name of the type
     * @param fixed type of numbers; null for text, bytes and gaps
     * @param count number of values or bytes; REST or ONE
     */
    private record Field(String name, String type, @Nullable FieldType fixed, int count) {
        boolean isGap() {
            return type.equals(SKIP);
        }

        /** Returns the bytes of the field, or REST. */
        int bytes() {
            return fixed == null ? count : count == REST ? REST : fixed.bytes() * (count == ONE ? 1 : count);
        }
    }

    private Layout(List<Field> fields) {
        this.fields = List.copyOf(fields);
    }

    /**
     * Reads the text of a layout.
     *
     * @param text for example {@code owner=utf8:8,cents=long}
     * @return the layout
     * @throws IllegalArgumentException if the text is no layout; names the field
     */
    public static Layout parse(String text) {
        List<Field> fields = new ArrayList<>();
        long bytes = 0;
        for (String part : text.split(",", -1)) {
            if (!fields.isEmpty() && fields.getLast().bytes() == REST) {
                throw new IllegalArgumentException("field " + fields.getLast().name + " takes the rest of the chunk, "
                    + "so no field can follow; a size is missing, as in utf8:8 or long[3]");
            }
            Field field = field(part.strip(), fields.size() + 1);
            if (fields.stream().anyMatch(other -> other.name.equals(field.name))) {
                throw new IllegalArgumentException("two fields have the name " + field.name);
            }
            bytes += Math.max(field.bytes(), 0);
            if (bytes > BYTES_MAX) {
                throw new IllegalArgumentException("the layout has more than " + BYTES_MAX + " bytes");
            }
            fields.add(field);
        }
        return new Layout(fields);
    }

    private static Field field(String text, int number) {
        Matcher form = FIELD.matcher(text);
        if (!form.matches()) {
            throw unknown(text);
        }
        String name = form.group(1) == null ? String.valueOf(number) : form.group(1);
        String type = form.group(2);
        boolean isList = form.group(3) != null;
        String size = form.group(5);
        FieldType fixed = Arrays.stream(FieldType.values()).filter(each -> each.name().equals(type.toUpperCase(
            Locale.ROOT))).findFirst().orElse(null);
        if (fixed != null && size == null) {
            return new Field(name, type, fixed, !isList ? ONE : form.group(4).isEmpty() ? REST
                : Integer.parseInt(form.group(4)));
        }
        boolean isOther = type.equals(UTF8) || type.equals(HEX) || type.equals(SKIP) && size != null;
        if (fixed != null || isList || !isOther) {
            throw unknown(text);
        }
        return new Field(name, type, null, size == null ? REST : Integer.parseInt(size));
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("'" + text + "' is no field; allowed: " + String.join(", ", types())
            + ", long[3] for three, long[] for all, utf8:8, hex:8, skip:4, each also with a name in front: cents=long");
    }

    /** {@return the names of the types} */
    public static List<String> types() {
        List<String> types = new ArrayList<>(Arrays.stream(FieldType.values()).map(type -> type.name().toLowerCase(
            Locale.ROOT)).toList());
        types.addAll(List.of(UTF8, HEX));
        return types;
    }

    /** {@return the number of words that {@link #write} takes} */
    public int words() {
        return (int) fields.stream().filter(field -> !field.isGap()).count();
    }

    /** {@return the bytes of a chunk with this layout; the bytes in front of the rest, if a field takes the rest} */
    public int bytesMin() {
        return fields.stream().mapToInt(field -> Math.max(field.bytes(), 0)).sum();
    }

    /** {@return whether the last field takes the rest of a chunk} */
    public boolean takesRest() {
        return fields.getLast().bytes() == REST;
    }

    // ---- reading ----

    /**
     * Reads the fields of a chunk. Bytes behind the last field are not read.
     *
     * @param content content of the chunk
     * @return numbers, booleans, texts, and lists of these, by the names of the fields
     * @throws IllegalArgumentException if the chunk is too short
     */
    public Map<String, Object> read(byte[] content) {
        if (content.length < bytesMin()) {
            throw new IllegalArgumentException("the layout has " + bytesMin() + " bytes, and the chunk has "
                + content.length);
        }
        ByteBuffer from = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        Map<String, Object> values = new LinkedHashMap<>();
        for (Field field : fields) {
            int bytes = field.bytes() == REST ? from.remaining() : field.bytes();
            FieldType fixed = field.fixed;
            if (fixed == null) {
                byte[] part = new byte[bytes];
                from.get(part);
                if (!field.isGap()) {
                    values.put(field.name, field.type.equals(HEX) ? HexFormat.of().formatHex(part)
                        : text(part, field.count == REST));
                }
            } else if (field.count == ONE) {
                values.put(field.name, fixed.read(from));
            } else {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < bytes / fixed.bytes(); i++) {
                    list.add(fixed.read(from));
                }
                values.put(field.name, list);
            }
        }
        return values;
    }

    private static String text(byte[] bytes, boolean isWhole) {
        int end = 0;
        while (end < bytes.length && (isWhole || bytes[end] != 0)) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    // ---- writing ----

    /**
     * Writes the content of a chunk.
     *
     * @param words a word for each field but gaps; lists have commas between their values
     * @return the content; gaps are zero
     * @throws IllegalArgumentException if the words do not fit the fields; names the field
     */
    public byte[] write(List<String> words) {
        return write(words, new byte[0]);
    }

    /**
     * Writes the fields into the content of a chunk. Gaps, and bytes behind the last field, keep their content.
     *
     * @param words a word for each field but gaps
     * @param before content of before
     * @return the content
     * @throws IllegalArgumentException if the words do not fit the fields; names the field
     */
    public byte[] write(List<String> words, byte[] before) {
        if (words.size() != words()) {
            throw new IllegalArgumentException("the layout has " + words() + " fields, and there are " + words.size()
                + " values");
        }
        List<byte[]> parts = new ArrayList<>();
        int next = 0;
        for (Field field : fields) {
            if (field.isGap()) {
                parts.add(new byte[0]);
                continue;
            }
            String word = words.get(next++);
            try {
                parts.add(bytes(field, word));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("field " + field.name + ": '" + word + "' is no " + field.type
                    + (e instanceof NumberFormatException ? "" : ": " + FailureText.of(e)), e);
            }
        }
        return joined(parts, before);
    }

    private byte[] joined(List<byte[]> parts, byte[] before) {
        int length = takesRest() ? bytesMin() + parts.getLast().length : Math.max(before.length, bytesMin());
        if (length > BYTES_MAX) {
            throw new IllegalArgumentException("the content has " + length + " bytes, at most " + BYTES_MAX
                + " are allowed");
        }
        byte[] content = Arrays.copyOf(before, length);
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            byte[] part = parts.get(i);
            System.arraycopy(part, 0, content, at, part.length);
            at += fields.get(i).bytes() == REST ? part.length : fields.get(i).bytes();
        }
        return content;
    }

    private static byte[] bytes(Field field, String word) {
        FieldType fixed = field.fixed;
        if (fixed == null) {
            byte[] bytes = field.type.equals(HEX) ? HexFormat.of().parseHex(word)
                : word.getBytes(StandardCharsets.UTF_8);
            if (field.count != REST && (bytes.length > field.count || field.type.equals(HEX)
                && bytes.length != field.count)) {
                throw new IllegalArgumentException(bytes.length + " bytes instead of " + field.count);
            }
            return field.count == REST ? bytes : Arrays.copyOf(bytes, field.count);
        }
        List<String> values = field.count == ONE ? List.of(word) : word.isEmpty() ? List.of()
            : List.of(word.split(",", -1));
        if (field.count >= 0 && values.size() != field.count) {
            throw new IllegalArgumentException(values.size() + " values instead of " + field.count);
        }
        ByteBuffer to = ByteBuffer.allocate(values.size() * fixed.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        values.forEach(value -> fixed.write(value.strip(), to));
        return to.array();
    }
}
