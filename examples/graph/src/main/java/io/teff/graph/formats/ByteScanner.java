package io.teff.graph.formats;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipException;

/** Reads numbers and strings of a binary file in either order of bytes. A fault names the offset. */
final class ByteScanner implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int STRING_BYTES_MAX = 1 << 20;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final InputFile file;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private boolean bigEndian;
    private long base;
    private int at;
    private int limit;

    ByteScanner(InputFile file, long from) throws IOException {
        this.file = file;
        this.base = from;
        this.in = file.open(from);
    }

    void setBigEndian(boolean value) {
        bigEndian = value;
    }

    /** Offset of the next byte. */
    long offset() {
        return base + at;
    }

    /** Makes {@code count} bytes present from {@code at} on; at most the length of the buffer. */
    private void need(int count, String expected) throws IOException {
        while (limit - at < count) {
            if (buffer.length - at < count) {
                System.arraycopy(buffer, at, buffer, 0, limit - at);
                base += at;
                limit -= at;
                at = 0;
            }
            int read = read();
            if (read < 0) {
                throw failure(expected, "the end of the file");
            }
            limit += read;
        }
    }

    private int read() throws IOException {
        try {
            return in.read(buffer, limit, buffer.length - limit);
        } catch (ZipException | EOFException e) {
            throw failure("compressed content", String.valueOf(e.getMessage()));
        }
    }

    boolean isEnd() throws IOException {
        if (at == limit) {
            base += limit;
            at = 0;
            limit = 0;
            limit = Math.max(0, read());
        }
        return at == limit;
    }

    /** Reads an unsigned number of 1, 2 or 4 bytes, or a signed number of 8 bytes. */
    long number(int bytes, String expected) throws IOException {
        need(Math.max(bytes, 1), expected);
        long value = 0;
        if (bytes == Long.BYTES) {
            value = (long) LONG.get(buffer, at);
            value = bigEndian ? Long.reverseBytes(value) : value;
        } else {
            for (int i = 0; i < bytes; i++) {
                int place = bigEndian ? i : bytes - 1 - i;
                value = value << Byte.SIZE | buffer[at + place] & 0xFF;
            }
        }
        at += bytes;
        return value;
    }

    /** Reads a number of 8 bytes within bounds. */
    long count(long max, String expected) throws IOException {
        long begin = offset();
        long value = number(Long.BYTES, expected);
        if (value < 0 || value > max) {
            throw GraphFileException.atOffset(file.path(), begin, expected + " of at most " + max,
                Long.toUnsignedString(value));
        }
        return value;
    }

    /** Reads a string behind its length of 8 bytes. */
    String string(String expected) throws IOException {
        int length = (int) count(STRING_BYTES_MAX, "the length of " + expected);
        byte[] bytes = new byte[length];
        for (int done = 0; done < length; ) {
            int step = Math.min(length - done, BUFFER_BYTES);
            need(step, expected);
            System.arraycopy(buffer, at, bytes, done, step);
            at += step;
            done += step;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw failure(expected + " in UTF-8 before this place", "other bytes");
        }
    }

    /** Moves over bytes that must exist. */
    void skip(long count, String expected) throws IOException {
        long left = count;
        while (left > 0) {
            int step = (int) Math.min(left, limit - at);
            if (step == 0) {
                if (isEnd()) {
                    throw failure(left + " more bytes of " + expected, "the end of the file");
                }
                continue;
            }
            at += step;
            left -= step;
        }
    }

    GraphFileException failure(String expected, String found) {
        return GraphFileException.atOffset(file.path(), offset(), expected, found);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
