package io.teff.cluster.archive;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code services} of a backup: the names of services with their values. The manifest has its checksum.
 * Numbers are little-endian.
 * <pre>
 *  0        4        8
 * +--------+--------+-------------------------------------------------------------------+
 * |"TFSB"  | 1      | length of the name 4, name in UTF-8, length of the value 4, value |  for each name
 * +--------+--------+-------------------------------------------------------------------+
 * </pre>
 */
public final class ServicesFile {
    static final String FILE = "services";
    static final int BYTES_MAX = 1 << 30;
    private static final int MAGIC = 'T' | 'F' << 8 | 'S' << 16 | 'B' << 24;
    private static final int VERSION = 1;

    /**
     * A name.
     *
     * @param name 1 to 1,024 bytes of UTF-8
     * @param value its value
     */
    public record Name(String name, byte[] value) {}

    private ServicesFile() {}

    static byte[] write(List<Name> names) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, MAGIC);
        put(out, VERSION);
        for (Name name : names) {
            final byte[] text = name.name().getBytes(StandardCharsets.UTF_8);
            put(out, text.length);
            out.writeBytes(text);
            put(out, name.value().length);
            out.writeBytes(name.value());
        }
        return out.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, int number) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array());
    }

    /** Returns the names; null if the bytes are no such file. */
    static @Nullable List<Name> read(byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < 2 * Integer.BYTES || in.getInt() != MAGIC || in.getInt() != VERSION) {
            return null;
        }
        final List<Name> names = new ArrayList<>();
        while (in.hasRemaining()) {
            final byte[] name = part(in);
            final byte[] value = name == null ? null : part(in);
            if (name == null || value == null) {
                return null;
            }
            names.add(new Name(new String(name, StandardCharsets.UTF_8), value));
        }
        return names;
    }

    private static byte @Nullable [] part(ByteBuffer in) {
        final int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        if (length < 0 || length > in.remaining()) {
            return null;
        }
        final byte[] part = new byte[length];
        in.get(part);
        return part;
    }
}
