package io.teff.graph.formats;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Reads records of fields between separators, as RFC 4180 describes them: a field in quotation marks may have
 * separators, doubled marks and line ends.
 */
final class CsvScanner implements Closeable {
    private static final int FIELDS_MAX = 1 << 12;
    private static final char QUOTE = '"';

    private final TextScanner scanner;
    private final char separator;
    private byte[] field = new byte[64];
    private int length;
    private long recordBegin;
    private boolean spanning;

    CsvScanner(InputFile file, long from, long to, char separator) throws IOException {
        this.scanner = new TextScanner(file, from, to, "");
        this.separator = separator;
    }

    /** Offset of the next record. */
    long offset() {
        return scanner.offset();
    }

    /** Whether a field had a line end up to now, so that the file cannot be divided at line ends. */
    boolean isSpanning() {
        return spanning;
    }

    /**
     * Reads the next record; blank lines are ignored.
     *
     * @param fields is cleared, and gets the fields
     * @return false at the end of the part
     */
    boolean next(List<String> fields) throws IOException {
        fields.clear();
        if (!scanner.nextLine("")) {
            return false;
        }
        recordBegin = scanner.offset();
        while (true) {
            if (fields.size() == FIELDS_MAX) {
                throw scanner.failure("at most " + FIELDS_MAX + " fields in a line");
            }
            length = 0;
            if (scanner.peek() == QUOTE) {
                readQuoted();
            } else {
                while (!scanner.isLineEnd() && scanner.peek() != separator) {
                    append(scanner.peek());
                }
            }
            fields.add(scanner.text(field, length));
            if (scanner.peek() != separator) {
                scanner.endLine();
                return true;
            }
            scanner.skip();
        }
    }

    private void readQuoted() throws IOException {
        long begin = scanner.offset();
        scanner.skip();
        while (true) {
            int next = scanner.peek();
            if (next == TextScanner.END) {
                throw scanner.failureAt(begin, "a field that ends with a quotation mark", "the end of the file");
            }
            if (next == QUOTE) {
                scanner.skip();
                if (scanner.peek() != QUOTE) {
                    break;
                }
            }
            spanning |= next == '\n';
            append(next);
        }
        if (!scanner.isLineEnd() && scanner.peek() != separator) {
            throw scanner.failure("a separator behind the field in quotation marks");
        }
    }

    private void append(int next) throws IOException {
        if (length == TextScanner.WORD_BYTES_MAX) {
            throw scanner.failure("a field of at most " + TextScanner.WORD_BYTES_MAX + " bytes");
        }
        if (length == field.length) {
            field = Arrays.copyOf(field, length * 2);
        }
        field[length++] = (byte) next;
        scanner.skip();
    }

    /** The exception for the record that was read last. */
    GraphFileException failure(String expected, String found) throws IOException {
        return scanner.failureAt(recordBegin, expected, found);
    }

    @Override
    public void close() throws IOException {
        scanner.close();
    }
}
