package io.teff.bridge.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * The fields of a record as bytes.
 * <pre>
 *  field: length of the name 2 | length of the value 4 | name in UTF-8 | value
 * </pre>
 */
public final class Records {
    private static final int HEAD_BYTES = Short.BYTES + Integer.BYTES;

    private Records() {}

    /**
     * Returns a record with its fields replaced.
     *
     * @param record bytes of a record, or null
     * @param fields the new fields; the others stay
     * @return bytes of the new record
     */
    public static byte[] with(byte @Nullable [] record, Map<String, byte[]> fields) {
        final Map<String, byte[]> all = record == null ? new LinkedHashMap<>() : read(record);
        all.putAll(fields);
        final Map<byte[], byte[]> named = new LinkedHashMap<>();
        int bytes = 0;
        for (Map.Entry<String, byte[]> field : all.entrySet()) {
            final byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
            named.put(name, field.getValue());
            bytes += HEAD_BYTES + name.length + field.getValue().length;
        }
        final ByteBuffer to = ByteBuffer.allocate(bytes);
        named.forEach((name, value) -> to.putShort((short) name.length).putInt(value.length).put(name).put(value));
        return to.array();
    }

    private static Map<String, byte[]> read(byte[] record) {
        final Map<String, byte[]> fields = new LinkedHashMap<>();
        final ByteBuffer from = ByteBuffer.wrap(record);
        while (from.hasRemaining()) {
            final byte[] name = new byte[from.getShort()];
            final byte[] value = new byte[from.getInt()];
            from.get(name).get(value);
            fields.put(new String(name, StandardCharsets.UTF_8), value);
        }
        return fields;
    }

    /**
     * Copies the values of a workload.
     *
     * @param values the values, which can be read once
     * @return the bytes of all values
     */
    public static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        final Map<String, byte[]> fields = new LinkedHashMap<>();
        values.forEach((name, value) -> fields.put(name, value.toArray()));
        return fields;
    }

    /**
     * Adds fields of a record to the result of a read.
     *
     * @param record bytes of a record
     * @param wanted names of the fields; null for all
     * @param result gets the fields
     */
    public static void to(byte[] record, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
        read(record).forEach((name, value) -> {
            if (wanted == null || wanted.contains(name)) {
                result.put(name, new ByteArrayByteIterator(value));
            }
        });
    }
}
