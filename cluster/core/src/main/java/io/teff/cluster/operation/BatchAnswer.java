package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of a batch, as the client reads it. */
public final class BatchAnswer {
    private final byte[] bytes;
    private final MemorySegment memory;
    private final int entries;
    private final int sections;
    private final int textBytes;
    private final int category;
    private final long resultsAt;

    private BatchAnswer(byte[] bytes) {
        this.bytes = bytes;
        memory = MemorySegment.ofArray(bytes);
        category = OperationFormat.category(memory, 0);
        sections = OperationFormat.length(memory, 0);
        entries = OperationFormat.entries(memory, 0);
        textBytes = OperationFormat.textBytes(memory, 0);
        resultsAt = OperationFormat.sectionAt(sections);
    }

    /**
     * Reads an answer.
     *
     * @param bytes the answer, as it has arrived
     * @param entries number of entries of the request
     * @param type the operation
     * @return the answer
     * @throws MalformedException if the bytes are no answer of that request
     */
    public static BatchAnswer read(byte[] bytes, int entries, OperationType type) {
        if (bytes.length < HEAD_BYTES) {
            throw OperationRequest.malformed("an answer of " + bytes.length + " bytes");
        }
        final BatchAnswer answer = new BatchAnswer(bytes);
        answer.check(entries, type);
        return answer;
    }

    private void check(int expected, OperationType type) {
        check(OperationFormat.operation(memory, 0) == OperationFormat.DONE && OperationAnswer.isCategory(category)
            && OperationFormat.isZero(memory, 2, 2), "head");
        check(entries == expected && sections >= 0 && sections <= entries && textBytes >= 0, "numbers");
        check(contentsAt() + textBytes <= bytes.length, "length");
        long sum = 0;
        long tail = textBytes;
        for (int section = 0; section < sections; section++) {
            final long at = OperationFormat.sectionAt(section);
            check(code(section) <= OperationFormat.CODE_MAX && OperationFormat.isZero(memory, at + 1, 3)
                && count(section) > 0 && rowBytes(section) >= 0 && rowBytes(section) <= bytes.length, "section");
            sum += count(section);
            tail += rowBytes(section);
        }
        check(sum == entries, "sections");
        check(contentsAt() + contentBytes(type) + tail == bytes.length, "length");
    }

    private long contentBytes(OperationType type) {
        if (type == OperationType.BATCH_GET_LONG) {
            return (long) entries * Long.BYTES;
        }
        long length = 0;
        for (int i = 0; type.hasContentsInAnswer() && i < entries; i++) {
            final long next = result(i);
            check(next <= OperationFormat.CONTENT_BYTES_MAX, "length of a chunk");
            length += Math.max(next, 0);
        }
        return length;
    }

    private static void check(boolean isValid, String what) {
        if (!isValid) {
            throw OperationRequest.malformed("a wrong " + what + " in the answer of a batch");
        }
    }

    /** {@return the number of sections} */
    public int sections() {
        return sections;
    }

    /** {@return the code of a section} */
    public int code(int section) {
        return OperationFormat.operation(memory, OperationFormat.sectionAt(section));
    }

    /** {@return the number of entries of a section} */
    public int count(int section) {
        return OperationFormat.sectionEntries(memory, OperationFormat.sectionAt(section));
    }

    private long rowBytes(int section) {
        return OperationFormat.sectionRowBytes(memory, OperationFormat.sectionAt(section));
    }

    /** {@return the result of an entry, or {@link OperationFormat#NOT_DONE}} */
    public long result(int entry) {
        return memory.get(OperationFormat.LONG, resultsAt + (long) entry * Long.BYTES);
    }

    private long contentsAt() {
        return resultsAt + (long) entries * Long.BYTES;
    }

    /** {@return the index of the first byte of the contents in {@link #bytes}} */
    public int firstContent() {
        return (int) contentsAt();
    }

    /** {@return the whole answer} */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Copies a content to a segment.
     *
     * @param answer bytes of a whole answer
     * @param from index of the content's first byte
     * @param length of the content
     * @param target has room for it
     * @param offset first byte in the target
     */
    public static void copyContent(byte[] answer, int from, int length, MemorySegment target, long offset) {
        MemorySegment.copy(answer, from, target, ValueLayout.JAVA_BYTE, offset, length);
    }

    /** {@return the value of an entry whose result is OK, in the answer of {@code BATCH_GET_LONG}} */
    public long value(int entry) {
        return memory.get(OperationFormat.LONG, contentsAt() + (long) entry * Long.BYTES);
    }

    /**
     * {@return the newest rows that the peer knows of zones that it does not serve}
     *
     * @throws MalformedException if the bytes are no rows
     */
    public List<ZoneRow> rows() {
        final List<ZoneRow> rows = new ArrayList<>();
        int at = bytes.length - textBytes;
        for (int section = sections - 1; section >= 0; section--) {
            final int length = (int) rowBytes(section);
            at -= length;
            if (length > 0) {
                rows.add(RowBytes.read(bytes, at, length));
            }
        }
        return rows;
    }

    /** {@return the exception with which the peer's store has ended the batch, or null} */
    public @Nullable StoreException refusal() {
        return textBytes == 0 ? null : OperationAnswer.exception(category,
            new String(bytes, bytes.length - textBytes, textBytes, StandardCharsets.UTF_8));
    }
}
