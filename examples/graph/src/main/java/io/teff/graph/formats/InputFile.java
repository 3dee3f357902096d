package io.teff.graph.formats;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A file that readers open several times, plain or compressed by gzip; the first two bytes tell which. */
final class InputFile {
    /** Bytes of a part of a plain file, at least. */
    static final long PART_BYTES = 4 << 20;

    private static final int PARTS_MAX = 4096;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_FIRST = 0x1F;
    private static final int GZIP_SECOND = 0x8B;

    private final Path path;
    private final boolean zipped;
    private final long size;

    private InputFile(Path path, boolean zipped, long size) {
        this.path = path;
        this.zipped = zipped;
        this.size = size;
    }

    static InputFile of(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw GraphFileException.of(path, "a regular file", Files.exists(path) ? "another kind" : "no file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            boolean zipped = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
            return new InputFile(path, zipped, Files.size(path));
        }
    }

    Path path() {
        return path;
    }

    boolean isZipped() {
        return zipped;
    }

    /** Length in bytes; of a compressed file -1, since only its end tells. */
    long size() {
        return zipped ? -1 : size;
    }

    /** Opens the content, behind {@code from} bytes of it. */
    InputStream open(long from) throws IOException {
        if (zipped) {
            return openZipped(from);
        }
        SeekableByteChannel channel = Files.newByteChannel(path);
        try {
            return Channels.newInputStream(channel.position(from));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private InputStream openZipped(long from) throws IOException {
        InputStream plain = new BufferedInputStream(Files.newInputStream(path));
        try {
            InputStream in = new GZIPInputStream(plain, BUFFER_BYTES);
            in.skipNBytes(from);
            return in;
        } catch (EOFException | ZipException e) {
            plain.close();
            throw GraphFileException.atOffset(path, from, "compressed content", String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    /**
     * Divides the lines from an offset on into parts: a plain file into parts of about {@code partBytes}, a compressed
     * file into one.
     *
     * @return the offset of each part, and the end
     */
    long[] lineParts(long from, long partBytes) throws IOException {
        if (zipped) {
            return new long[] {from, Long.MAX_VALUE};
        }
        long length = Math.max(0, size - from);
        int count = Math.clamp(length / partBytes, 1, PARTS_MAX);
        long[] parts = new long[count + 1];
        int found = 0;
        parts[found++] = from;
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            for (int i = 1; i < count; i++) {
                long begin = nextLine(channel, from + length / count * i, from + length / count * (i + 1));
                if (begin > parts[found - 1]) {
                    parts[found++] = begin;
                }
            }
        }
        parts[found++] = Math.max(from, size);
        return Arrays.copyOf(parts, found);
    }

    /** Returns the offset of the first line that begins in a range, or -1. */
    private static long nextLine(SeekableByteChannel channel, long from, long to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 12);
        channel.position(from - 1);
        for (long at = from - 1; at < to; ) {
            int count = channel.read(buffer.clear());
            for (int i = 0; i < count; i++, at++) {
                if (buffer.get(i) == '\n') {
                    return at + 1;
                }
            }
            if (count <= 0) {
                break;
            }
        }
        return -1;
    }

    /** Returns the number of the line that has a byte, for messages. */
    long lineOf(long offset) throws IOException {
        long line = 1;
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = open(0)) {
            long left = offset;
            int count = 0;
            while (left > 0 && count >= 0) {
                count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                left -= Math.max(0, count);
                for (int i = 0; i < count; i++) {
                    line += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        return line;
    }
}
