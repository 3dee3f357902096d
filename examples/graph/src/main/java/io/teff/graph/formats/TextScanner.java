package io.teff.graph.formats;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * Reads numbers and words of a part of a text, byte by byte, without an object for each. A fault names the line, which
 * is counted only then.
 */
final class TextScanner implements Closeable {
    /** The end of the part. */
    static final int END = -1;
    /** Longest word in bytes. */
    static final int WORD_BYTES_MAX = 1 << 20;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int EXCERPT_BYTES = 24;
    private static final int TEN = 10;
    private static final long LONG_CUT = (Long.MAX_VALUE - 9) / TEN;

    private final InputFile file;
    private final InputStream in;
    private final boolean[] separators = new boolean[256];
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] word = new byte[64];
    private long base;
    private long left;
    private int at;
    private int limit;

    /**
     * Opens a part.
     *
     * @param to offset of the end, or a larger number for all
     * @param separators bytes between words
     */
    TextScanner(InputFile file, long from, long to, String separators) throws IOException {
        this.file = file;
        for (int i = 0; i < separators.length(); i++) {
            this.separators[separators.charAt(i)] = true;
        }
        base = from;
        left = to - from;
        in = file.open(from);
    }

    /** Offset of the next byte. */
    long offset() {
        return base + at;
    }

    /** The next byte, or {@link #END}. */
    int peek() throws IOException {
        return at < limit || fill() ? buffer[at] & 0xFF : END;
    }

    /** Moves over the byte that {@link #peek} has returned. */
    void skip() {
        at++;
    }

    private boolean fill() throws IOException {
        base += limit;
        at = 0;
        limit = 0;
        if (left > 0) {
            try {
                limit = Math.max(0, in.read(buffer, 0, (int) Math.min(buffer.length, left)));
            } catch (ZipException | java.io.EOFException e) {
                throw GraphFileException.atOffset(file.path(), base, "compressed content", String.valueOf(
                    e.getMessage()));
            }
            left = limit == 0 ? 0 : left - limit;
        }
        return limit > 0;
    }

    boolean isLineEnd() throws IOException {
        int next = peek();
        return next == '\n' || next == '\r' || next == END;
    }

    void skipSeparators() throws IOException {
        for (int next = peek(); next != END && separators[next]; next = peek()) {
            at++;
        }
    }

    /** Moves behind the end of this line, whatever precedes it. */
    void skipLine() throws IOException {
        for (int next = peek(); next != END; next = peek()) {
            at++;
            if (next == '\n') {
                return;
            }
        }
    }

    /** Moves behind the end of this line, which must follow. */
    void endLine() throws IOException {
        skipSeparators();
        if (peek() == '\r') {
            at++;
        }
        int next = peek();
        if (next != '\n' && next != END) {
            throw failure("the end of the line");
        }
        at += next == '\n' ? 1 : 0;
    }

    /** Moves to the first word of a line that is neither blank nor a comment; false at the end of the part. */
    boolean nextLine(String comments) throws IOException {
        while (true) {
            skipSeparators();
            int next = peek();
            if (next == END) {
                return false;
            }
            if (next != '\n' && next != '\r' && comments.indexOf(next) < 0) {
                return true;
            }
            skipLine();
        }
    }

    /** Reads an unsigned number below 2^63. */
    long number(String expected) throws IOException {
        int next = peek();
        if (next < '0' || next > '9') {
            throw failure(expected);
        }
        long value = 0;
        while (next >= '0' && next <= '9') {
            if (value > LONG_CUT) {
                throw failure(expected + " of at most 18 digits");
            }
            value = value * TEN + (next - '0');
            at++;
            next = peek();
        }
        if (!isLineEnd() && !separators[next]) {
            throw failure(expected);
        }
        skipSeparators();
        return value;
    }

    /** Reads a number with sign, point and exponent. */
    double real(String expected) throws IOException {
        long begin = offset();
        String text = word(expected);
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw failureAt(begin, expected, quoted(text));
        }
        throw failureAt(begin, expected, quoted(text));
    }

    /** Reads a word of UTF-8. */
    String word(String expected) throws IOException {
        int length = 0;
        for (int next = peek(); !isLineEnd() && !separators[next]; next = peek()) {
            if (length == WORD_BYTES_MAX) {
                throw failure("a word of at most " + WORD_BYTES_MAX + " bytes");
            }
            if (length == word.length) {
                word = Arrays.copyOf(word, length * 2);
            }
            word[length++] = (byte) next;
            at++;
        }
        if (length == 0) {
            throw failure(expected);
        }
        String text = text(word, length);
        skipSeparators();
        return text;
    }

    /** Decodes UTF-8. */
    String text(byte[] bytes, int length) throws IOException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException e) {
            throw failure("a word in UTF-8");
        }
    }

    /** The exception for what follows here. */
    GraphFileException failure(String expected) throws IOException {
        long offset = offset();
        StringBuilder found = new StringBuilder();
        for (int i = 0; i < EXCERPT_BYTES && !isLineEnd(); i++) {
            int next = peek();
            found.append(next > ' ' && next < 127 || next == ' ' ? String.valueOf((char) next)
                : String.format(java.util.Locale.ROOT, "\\x%02x", next));
            at++;
        }
        return failureAt(offset, expected, !found.isEmpty() ? quoted(found.toString())
            : peek() == END ? "the end of the file" : "the end of the line");
    }

    GraphFileException failureAt(long offset, String expected, String found) throws IOException {
        return GraphFileException.atLine(file.path(), file.lineOf(offset), expected, found);
    }

    private static String quoted(String text) {
        return "\"" + (text.length() > EXCERPT_BYTES ? text.substring(0, EXCERPT_BYTES) + "..." : text) + "\"";
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
